import { API_ERRORS, ApiError, SUGGESTED_FIXES, type ApiErrorCode } from '@app/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';
import { suggestedFix } from './hints/error-hint.js';

interface ReceivedError {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown; readonly error: unknown };
  readonly requestId: string | null;
}

describe('errors in the agent format', () => {
  let api: StartedApi;
  afterEach(() => api.stop());

  const start = async (options: StartOptions = {}): Promise<void> => {
    api = await startTestApi(options);
  };
  const send = async (
    path: string,
    { format = 'agent', ...init }: RequestInit & { readonly format?: string } = {},
  ): Promise<ReceivedError> => {
    const headers = {
      ...{ 'x-api-key': api.key, 'content-type': 'application/json', 'x-error-format': format },
      ...(init.headers as Record<string, string> | undefined),
    };
    const answer = await fetch(`${api.url}${path}`, { ...init, headers });
    const body = (await answer.json()) as ReceivedError['body'];
    return { status: answer.status, body, requestId: answer.headers.get('x-request-id') };
  };
  const scrape = (
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ReceivedError> => send('/v1/scrape', { method: 'POST', body, headers });
  const expectTold = ({ status, body, requestId }: ReceivedError, code: ApiErrorCode): void => {
    expect([status, body.error]).toEqual([
      API_ERRORS[code].status,
      {
        message: expect.stringMatching(/./),
        code,
        suggested_fix: SUGGESTED_FIXES[code],
        request_id: requestId,
      },
    ]);
    expect(requestId).toMatch(/./);
  };

  it('have a code, a suggested fix and the request id, wherever a request fails', async () => {
    await start();
    expectTold(await scrape('{'), 'invalid_json');
    expectTold(await scrape('{}'), 'url_required');
    expectTold(await scrape('{"url":"http://a.example/","none":1}'), 'invalid_request');
    expectTold(await scrape('{}', { 'content-type': 'text/csv' }), 'unsupported_media_type');
    expectTold(await scrape('{}', { 'x-api-key': 'wrong' }), 'api_key_invalid');
    expectTold(await send('/v1/nothing'), 'not_found');
    expectTold(await send('/v1/scrape', { method: 'PUT', body: '{}' }), 'method_not_allowed');
  });

  it('keep the other fields of the body beside the envelope', async () => {
    await start({ credits: 0, plan: 'free' });
    const unpaid = await scrape('{"url":"http://93.184.216.34/"}');
    expectTold(unpaid, 'payment_required');
    expect(unpaid.body).toMatchObject({ balance: 0, required: 1 });
    const blocked = await scrape('{"url":"http://127.0.0.1/"}');
    expectTold(blocked, 'blocked_url');
    expect(blocked.body['ok']).toBe(false);
  });

  it('report a full minute', async () => {
    await start({ plan: 'free', window: { admitted: 0, remaining: 0 } });
    const full = await scrape('{}');
    expectTold(full, 'rate_limited');
    expect(full.body).toMatchObject({ limit: 10, tier: 'free', retryAfterSeconds: 60 });
  });

  it.each([' Agent ', 'AGENT'])('are selected by %j too', async (format) => {
    await start();
    expectTold(await send('/v1/nothing', { format }), 'not_found');
  });

  it.each(['', 'json', 'agent, json'])('are texts when %j is requested', async (format) => {
    await start();
    const { body } = await send('/v1/nothing', { format });
    expect(body).toEqual({ error: 'Not found', hint: SUGGESTED_FIXES.not_found });
  });

  it('are documented, with the header on every operation under /v1', async () => {
    await start();
    const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { parameters?: object[] }>>;
    };
    const reference = { $ref: '#/components/parameters/ErrorFormat' };
    for (const [path, item] of Object.entries(document.paths))
      for (const { parameters = [] } of Object.values(item)) {
        const isDocumented = parameters.some((one) => '$ref' in one && one.$ref === reference.$ref);
        expect([path, isDocumented]).toEqual([path, path.startsWith('/v1/')]);
      }
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const isError = ajv.compile({ $ref: 'openapi#/components/schemas/Error' });
    const { body } = await scrape('{}');
    const known = body.error as object;
    expect([isError(body), isError({ error: 'text' })]).toEqual([true, true]);
    expect(isError({ error: { ...known, code: 'no such code' } })).toBe(false);
  });
});

describe('the suggested fix', () => {
  const fixes = Object.entries(SUGGESTED_FIXES);

  it('is a sentence for every code', () => {
    expect(Object.keys(SUGGESTED_FIXES).sort()).toEqual(Object.keys(API_ERRORS).sort());
    expect(fixes.filter(([, fix]) => !/^[A-Z][^]{15,160}\.$/.test(fix))).toEqual([]);
  });

  it.each(['search_unavailable', 'screenshot_unavailable'] as const)(
    'of %s is to wait, unless only the operator can end it',
    (code) => {
      expect(suggestedFix(new ApiError(code))).toMatch(/^Wait /);
      expect(suggestedFix(new ApiError(code, {}, { isPermanent: true }))).toMatch(/^Do not retry/);
    },
  );

  it('names endpoints that exist', async () => {
    const api = await startTestApi();
    try {
      const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
        paths: Record<string, Record<string, unknown>>;
      };
      const named = fixes.flatMap(([code, fix]) =>
        [...fix.matchAll(/\b(GET|POST|DELETE) (\/[\w/:]*\w)/g)].map(
          ([, method = '', path = '']) => ({
            code,
            isThere: method.toLowerCase() in (paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}),
          }),
        ),
      );
      expect(named.length).toBeGreaterThan(10);
      expect(named.filter(({ isThere }) => !isThere)).toEqual([]);
    } finally {
      await api.stop();
    }
  });

  // Agents decide by them: a published code is never renamed.
  it('keeps every published code', () => {
    expect(Object.keys(API_ERRORS)).toEqual(expect.arrayContaining(TOLD_CODES));
  });
});

const TOLD_CODES = `
  invalid_json url_required domain_required invalid_url blocked_url invalid_request body_too_large
  unsupported_media_type api_key_required api_key_invalid auth_unavailable credits_unavailable
  credits_unsettled rate_limited too_many_requests payment_offered payment_refused payment_used payment_unsettled
  payment_unreadable payments_unavailable method_not_allowed key_not_found key_ended too_many_keys
  provision_limited provision_network_limited provision_disabled tenant_not_found plan_required success_url_required
  cancel_url_required redirect_not_allowed unknown_plan no_billing_account billing_unavailable
  payment_provider_failed payment_provider_unavailable payment_event_invalid
  payment_event_unstored job_not_found not_found download_expired jobs_unreadable
  brand_fetch_failed not_cached action_not_available browser_unavailable screenshot_unavailable
  screenshot_failed screenshot_quota crawl_unavailable extraction_unavailable job_running
  nothing_stored scrape_unavailable file_required invalid_multipart docx_unavailable
  file_unreadable invalid_urls llm_unavailable llm_failed llm_budget llm_invalid llm_schema
  delivery_not_found webhook_secret_not_found batch_unavailable batch_timeout
  idempotency_key_invalid idempotency_key_refused idempotency_key_reused idempotency_key_running
  idempotency_answer_gone results_expired deletion_not_found results_unavailable too_many_streams
  streams_unavailable too_many_answers answers_unavailable map_fetch_failed map_timeout
  client_gone draining internal malformed_request headers_too_large request_timeout`
  .trim()
  .split(/\s+/);
