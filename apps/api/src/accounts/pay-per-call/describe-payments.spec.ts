import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { API_ERRORS } from '@app/contracts';
import { readPaymentHeader } from '@app/testing';
import { startTestApi, type StartedApi } from '../../../test/started-api.js';
import {
  documentedOperations,
  documentedErrors,
  type DocumentedOperation,
} from '../../public/documented-operations.js';

describe('the OpenAPI document with pay per call', () => {
  let api: StartedApi;
  let document: OpenAPIObject;
  let operations: readonly DocumentedOperation[];

  beforeAll(async () => {
    api = await startTestApi({
      settings: {
        payPerCallPrice: '1000',
        payPerCallNetwork: 'eip155:84532',
        payPerCallAsset: '0xa',
        payPerCallPayTo: '0xb',
        // The facilitator is not called before there is a payment.
        payPerCallFacilitatorUrl: 'http://127.0.0.1:9',
      },
    });
    document = (await (await fetch(`${api.url}/openapi.json`)).json()) as OpenAPIObject;
    operations = documentedOperations(document);
  });
  afterAll(() => api.stop());

  const find = (path: string): DocumentedOperation => {
    const found = operations.find((one) => one.method === 'POST' && one.path === path);
    if (!found) throw new Error(`POST ${path} is not documented`);
    return found;
  };

  it.each(['/v1/scrape', '/v1/map'])('describes the payment of %s', (path) => {
    const operation = find(path);
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({ name: 'PAYMENT-SIGNATURE', in: 'header', required: false }),
    );
    const texts = new Map(documentedErrors(operation));
    for (const code of ['payment_offered', 'payment_unreadable', 'payments_unavailable'] as const) {
      const { status, text } = API_ERRORS[code];
      expect(texts.get(String(status))).toContain(text);
    }
  });

  it.each(['/v1/extract', '/v1/crawl'])(
    'describes no payment where a key is needed: %s',
    (path) => {
      expect(find(path).parameters.map(({ name }) => name)).not.toContain('PAYMENT-SIGNATURE');
    },
  );

  it('matches the response to a call without a payment', async () => {
    const answer = await fetch(`${api.url}/v1/map`, { method: 'POST' });
    const body: unknown = await answer.json();
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([402, '10']);
    expect(readPaymentHeader(answer.headers.get('payment-required'))).toEqual(body);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const isOffer = ajv.compile({ $ref: 'openapi#/components/schemas/PaymentRequired' });
    expect([isOffer(body), isOffer({ error: 'else' })]).toEqual([true, false]);
    expect(api.counted).toEqual([]);
  });

  it('does not change a call with a key', async () => {
    await api.fakeFetcher('map', () => ({
      ...{ kind: 'mapped', links: ['https://example.com/'], source: 'sitemap' },
      ...{ timedOut: false, cuts: [] },
    }));
    const answer = await api.client.call('POST', '/v1/map', { url: 'https://example.com/' });
    expect([answer.status, answer.headers.get('payment-response')]).toEqual([200, null]);
  });
});
