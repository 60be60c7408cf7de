import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  CHUNK,
  converted,
  failedScrape,
  FILE,
  LISTING,
  OUTPUT,
  FAKE_PAGE_URL as URL,
  PRICE_SCHEMA,
  served,
  USAGE,
} from '../../test/fake-replies.js';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

const page = (more: object = {}) => served({ listing: LISTING, llm: OUTPUT, ...more });

interface Documented {
  readonly paths: Record<
    string,
    Record<
      string,
      { readonly responses: Record<string, { readonly content: Record<string, object> }> }
    >
  >;
}

describe('responses match /openapi.json', () => {
  let api: StartedApi;
  let document: Documented;
  let ajv: Ajv2020;
  let reply: object;

  beforeAll(async () => {
    api = await startTestApi();
    await api.fakeFetcher('scrape', () => reply);
    await api.fakeFetcher('convert', () => reply);
    document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Documented;
    ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
  });
  afterAll(() => api.stop());

  /** An undocumented field fails, too. */
  const validatorOf = (path: string, status: number): ValidateFunction => {
    const responses = document.paths[path]?.['post']?.responses ?? {};
    expect(Object.keys(responses)).toContain(String(status));
    const pointer = ['paths', path, 'post', 'responses', String(status), 'content'];
    const steps = [...pointer, 'application/json', 'schema'].map((step) =>
      encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const shape = { $ref: `openapi#/${steps.join('/')}`, unevaluatedProperties: false };
    return ajv.compile(status === 200 ? shape : { $ref: shape.$ref });
  };

  it.each<[string, object, object, number]>([
    ['/v1/scrape', { url: URL, formats: ['json'], schema: PRICE_SCHEMA }, page(), 200],
    ['/v1/scrape', { url: URL }, page({ listing: null, llm: undefined }), 200],
    ['/v1/scrape', { url: URL, extractListing: false }, page({ partialReason: 'timeout' }), 200],
    ['/v1/scrape', { url: URL }, page({ file: { ...FILE, truncatedBy: 'pages' } }), 200],
    ['/v1/scrape', { url: URL }, page({ file: { ...FILE, format: 'docx' } }), 200],
    ['/v1/scrape', { url: URL }, failedScrape({ file: 'docx_unavailable' }), 415],
    ['/v1/scrape', { url: URL }, failedScrape(), 422],
    ['/v1/extract', { url: URL }, page(), 200],
    ['/v1/extract', { url: URL }, page({ listing: null }), 200],
    ['/v1/extract', { html: '<p>x</p>' }, converted({ listing: null }), 200],
    ['/v1/extract', { url: URL, schema: PRICE_SCHEMA }, page(), 200],
    [
      '/v1/extract',
      { url: URL, schema: PRICE_SCHEMA },
      page({ llm: { json: [1], usage: USAGE } }),
      200,
    ],
    ['/v1/extract', { url: URL, schema: PRICE_SCHEMA }, page({ llm: undefined }), 200],
    ['/v1/extract', { urls: [URL], schema: PRICE_SCHEMA }, page(), 200],
    ['/v1/extract', { urls: [URL] }, page({ listing: null }), 200],
    ['/v1/extract', { urls: [URL] }, failedScrape(), 200],
    ['/v1/extract', { urls: ['x'] }, failedScrape(), 400],
    [
      '/v1/extract',
      { url: URL, schema: PRICE_SCHEMA },
      page({ llm: { problem: 'llm_budget', usage: USAGE } }),
      422,
    ],
    [
      '/v1/extract',
      { url: URL, schema: PRICE_SCHEMA },
      page({ llm: { problem: 'llm_failed', usage: USAGE } }),
      503,
    ],
    ['/v1/parse', { url: URL, format: 'rag' }, page({ file: FILE, chunks: [CHUNK] }), 200],
    [
      '/v1/parse',
      { url: URL },
      page({ file: { ...FILE, isScanned: true, truncatedBy: 'pages' } }),
      200,
    ],
    ['/v1/parse', { url: URL }, page(), 422],
    ['/v1/parse', {}, page(), 400],
  ])('%s %j', async (path, body, replied, status) => {
    reply = replied;
    const answer = await api.client.call('POST', path, body);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
    const validate = validatorOf(path, status);
    expect([validate(answer.body), validate.errors ?? []]).toEqual([true, []]);
  });

  it('detects an undocumented field', () => {
    const validate = validatorOf('/v1/parse', 200);
    const body = { ok: true, markdown: '', text: '', format: 'pdf' };
    expect([validate(body), validate({ ...body, secret: 1 })]).toEqual([true, false]);
  });
});
