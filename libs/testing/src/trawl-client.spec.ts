import { type FixtureSite, startFixtureSite } from './site/fixture-site.js';
import type { Visit } from './site/site-server.js';
import { TrawlClient, UnexpectedAnswer } from './trawl-client.js';

function sendJson({ response }: Visit, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

describe('TrawlClient', () => {
  let service: FixtureSite;
  let client: TrawlClient;

  beforeEach(async () => {
    service = await startFixtureSite();
    client = new TrawlClient(service.url(), 'key-1');
  });
  afterEach(() => service.close());

  it('sends its key and JSON, and returns any response to a scrape unchanged', async () => {
    service.serve({ '/v1/scrape': (visit) => sendJson(visit, 422, { error: 'no' }) });
    const answer = await client.scrape({ url: 'https://a.invalid/' });
    expect(answer).toMatchObject({ status: 422, body: { error: 'no' } });
    const [request] = service.requests('/v1/scrape');
    expect(request).toMatchObject({ method: 'POST', body: '{"url":"https://a.invalid/"}' });
    expect(request?.headers).toMatchObject({
      'x-api-key': 'key-1',
      'content-type': 'application/json',
    });
  });

  it('rejects with the answer when a crawl is not accepted', async () => {
    service.serve({
      '/v1/crawl': (visit) => sendJson(visit, 503, { error: 'Async crawl unavailable' }),
    });
    await expect(client.crawl({ url: 'x' })).rejects.toThrow(UnexpectedAnswer);
    await expect(client.crawl({ url: 'x' })).rejects.toThrow('POST /v1/crawl answered 503');
  });

  it('follows the cursor to the end', async () => {
    const slices: Record<string, unknown> = {
      start: { results: [{ url: 'a' }, { url: 'b' }], next: 'c2' },
      c2: { results: [{ url: 'c' }], next: null },
    };
    service.serve({
      '/v1/crawl/j1/results': (visit) =>
        sendJson(visit, 200, slices[visit.url.searchParams.get('cursor') ?? 'start']),
    });
    const urls = (await client.results('j1', 2)).map((page) => page.url);
    expect(urls).toEqual(['a', 'b', 'c']);
    expect(service.requests().map((request) => request.target)).toEqual([
      '/v1/crawl/j1/results?limit=2',
      '/v1/crawl/j1/results?cursor=c2&limit=2',
    ]);
  });

  it('refuses a cursor that goes round in circles', async () => {
    service.serve({
      '/v1/crawl/j1/results': (visit) => sendJson(visit, 200, { results: [], next: 'again' }),
    });
    await expect(client.results('j1')).rejects.toThrow('cursor again came twice');
  });

  it('streams lines that arrive in pieces, characters included', async () => {
    service.serve({
      '/v1/crawl/j1/results': ({ response, request }) => {
        expect(request.headers.accept).toBe('application/x-ndjson');
        const bytes = Buffer.from('{"url":"ž"}\n{"url":"b"}');
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.write(bytes.subarray(0, 9));
        setTimeout(() => response.end(bytes.subarray(9)), 20);
      },
    });
    const urls: string[] = [];
    for await (const page of client.ndjson('j1')) urls.push(page.url);
    expect(urls).toEqual(['ž', 'b']);
  });

  it('waits for the end of a job and gives up with its last state', async () => {
    let looks = 0;
    service.serve({
      '/v1/jobs/ends': (visit) =>
        sendJson(visit, 200, { status: ++looks < 3 ? 'running' : 'failed' }),
      '/v1/jobs/lasts': (visit) => sendJson(visit, 200, { status: 'running' }),
    });
    await expect(client.waitForEnd('ends', { pollMs: 1 })).resolves.toMatchObject({
      status: 'failed',
    });
    await expect(client.waitForEnd('lasts', { pollMs: 1, timeoutMs: 30 })).rejects.toThrow(
      '"running"',
    );
  });
});
