import { runTrawl, type TrawlRun } from '../test/run-trawl.js';

const URL = 'https://example.com/';

/** An error of the API as it is sent to programs. */
function apiError(
  status: number,
  error: object,
  more: object = {},
  headers: object = {},
): Response {
  const body = { error: { request_id: 'r1', ...error }, ...more };
  return Response.json(body, { status, headers: { ...headers } });
}

function refused(message: string, more: object = {}): Response {
  const suggested_fix = 'Correct the field named in the message; /openapi.json lists every field.';
  return apiError(400, { code: 'invalid_request', message, suggested_fix }, more);
}

describe('an error of the service', () => {
  const run = (args: readonly string[], response: Response): Promise<TrawlRun> =>
    runTrawl(args, {
      routes: Object.fromEntries(
        ['scrape', 'crawl', 'screenshot', 'search', 'extract'].map((name) => [
          `POST /v1/${name}`,
          () => response.clone(),
        ]),
      ),
    });

  it.each<[readonly string[], string, string]>([
    [['crawl', URL], '`limit` must be at least 1', '--limit must be at least 1'],
    [['crawl', URL], '`maxDepth` must be at most 9', '--depth must be at most 9'],
    [['crawl', URL], '`includePaths` holds x', '--include holds x'],
    [['crawl', URL], '`scrapeOptions`: `waitFor` is long', '--wait-for is long'],
    [['crawl', URL], '`scrapeOptions.formats` has x', '--format has x'],
    [['crawl', URL], '`scrapeOptions`: `location.country` is x', '--country is x'],
    [['crawl', URL], 'Start it with `index: true`', 'Start it with --index'],
    [['search', 'a'], 'Start one with `index: true`', 'Start one with --index'],
    [['scrape', URL], '`cookies` must look so', '--cookie must look so'],
    [['scrape', URL], '`url` and `headers` are bad', '<url> and --header are bad'],
    [['screenshot', URL, '--json'], '`cookies` and `fullPage`', '--cookies and --no-full-page'],
    [['search', 'a'], '`query` is long', '<query> is long'],
    [['search', 'a'], 'See GET /v1/jobs/:id, GET /v1/jobs', 'See trawl jobs <id>, trawl jobs'],
    [['search', 'a'], 'See GET /v1/crawl/:id/urls', 'See GET /v1/crawl/:id/urls'],
    [['extract', URL], '`unknown` is unknown', '`unknown` is unknown'],
  ])('in %j: %s', async (args, message, line) => {
    const { code, err } = await run(args, refused(message));
    const fix = `Correct it: trawl ${args[0]} --help describes the options.`;
    expect(err).toBe(`trawl: ${line}. ${fix} [invalid_request, HTTP 400, request r1]\n`);
    expect(code).toBe(1);
  });

  it('has its own correction, in the same words', async () => {
    const { err } = await run(['crawl', URL], refused('`limit` is 0', { hint: 'And `maxDepth`.' }));
    expect(err).toContain('--limit is 0. And --depth. [');
  });

  it('says to try again only if that may help', async () => {
    const message = 'No search backend is configured: the operator sets SEARCH_SERP.';
    const error = { code: 'search_unavailable', message, suggested_fix: 'Do not retry: ask.' };
    const unset = await run(['search', 'a'], apiError(503, error));
    expect(unset).toMatchObject({
      ...{ code: 1, out: '' },
      err: `trawl: ${message} Do not retry: ask. [search_unavailable, HTTP 503, request r1]\n`,
    });
    const busy = apiError(429, { ...error, code: 'rate_limited' }, {}, { 'retry-after': '300' });
    const { code, err } = await run(['search', 'a'], busy);
    expect([code, err]).toEqual([4, expect.stringContaining(' Try again in 300 s. [rate_limited')]);
  });
});

describe('an error of the client', () => {
  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['the flag', ['jobs', '--url', 'foo'], {}, /^trawl: --url must be an http.*not foo\. /],
    ['the variable', ['jobs'], { TRAWL_URL: 'foo' }, /^trawl: TRAWL_URL must be an http/],
    ['the key', ['jobs'], { TRAWL_API_KEY: 'a b' }, /^trawl: TRAWL_API_KEY must be visible ASCII/],
  ])('names %s that was used', async (_what, args, env, line) => {
    const { code, err } = await runTrawl(args, { env });
    expect([code, err]).toEqual([2, expect.stringMatching(line)]);
    expect(err).toMatch(/ Correct it, or run trawl login\.\n$/);
  });

  it('names the address that leads elsewhere', async () => {
    const routes = { 'GET /v1/jobs': () => new Response('<html>', { status: 200 }) };
    const { code, err } = await runTrawl(['jobs'], { routes });
    expect([code, err]).toEqual([1, expect.stringContaining('TRAWL_URL is the address of Trawl')]);
  });
});
