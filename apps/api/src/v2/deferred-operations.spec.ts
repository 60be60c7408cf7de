import { startTestApi, type StartedApi } from '../../test/started-api.js';
import { DEFERRED_OPERATIONS } from './deferred-operations.js';

describe('operations that are not offered under /v2', () => {
  let api: StartedApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  const send = async (method: string, path: string, key = api.key) => {
    const answer = await fetch(`${api.url}${path}`, { method, headers: { 'x-api-key': key } });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const targetOf = (url: string): string => url.replace(/:\w+/g, 'one').replace('*', 'a/b');

  it.each(DEFERRED_OPERATIONS.map(({ method, url, instead }) => [method, url, instead] as const))(
    '%s %s: 404 that says what to use instead',
    async (method, url, instead) => {
      const { status, body } = await send(method, `${targetOf(url)}?limit=1`);
      expect([status, body]).toEqual([
        404,
        {
          ...{ success: false, code: 'operation_deferred', details: null },
          error: `This operation is not offered under /v2. ${instead}`,
        },
      ]);
      expect((await send(method, targetOf(url), 'wrong')).status).toBe(401);
    },
  );

  it.each([
    ['POST', '/v2/extracts'],
    ['DELETE', '/v2/extract'],
    ['POST', '/v2/agent/1'],
    ['PUT', '/v2/monitor'],
    ['GET', '/v2/feedback'],
    ['GET', '/v2/crawl/1/errors/2'],
    ['POST', '/v2/team/credit-usage'],
    ['GET', '/v2'],
  ])('%s %s is unknown', async (method, path) => {
    expect(await send(method, path)).toEqual({
      status: 404,
      body: { success: false, error: 'Not found', code: 'not_found', details: null },
    });
  });

  it.each([
    ['DELETE', '/v2/crawl/active'],
    ['GET', '/v2/crawl/other'],
    ['GET', '/v2/batch/scrape/other'],
  ])('%s %s is the id of a job', async (method, path) => {
    expect(await send(method, path)).toMatchObject({
      status: 404,
      body: { code: 'job_not_found' },
    });
  });

  it.each([
    ['PATCH', '/v2/scrape', 'OPTIONS, POST'],
    ['PUT', '/v2/crawl/1', 'DELETE, GET, HEAD, OPTIONS'],
    ['PUT', '/v2/batch/scrape/1', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 with a body', async (method, path, methods) => {
    const { status, body } = await send(method, path);
    expect([status, body['code']]).toEqual([405, 'method_not_allowed']);
    expect(body['error']).toContain(methods);
  });
});
