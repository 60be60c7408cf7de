import { apiErrorStep, drop, json, ScriptedServer, stream } from '../test/scripted-server.js';
import type { TrawlJob } from './trawl-job.js';
import { Trawl } from './trawl.js';

const page = (no: number): string =>
  `event: document\nid: ${no}\ndata: {"url":"u${no}","ok":true}\n\n`;
const pages = (...numbers: number[]): string => numbers.map(page).join('');
const status = (state: string, scraped = 3): string =>
  `event: status\ndata: {"id":"j","status":"${state}","pages_scraped":${scraped},"error":"reason"}\n\n`;
const end = (state: string): string => `event: end\nid: end\ndata: {"status":"${state}"}\n\n`;
const RETRY = 'retry: 1\n\n';

describe('a job', () => {
  let server: ScriptedServer;
  let job: TrawlJob;

  beforeEach(async () => {
    server = await ScriptedServer.start();
    const options = { baseUrl: server.url, apiKey: 'k', retries: 2, retryDelayMs: 1 };
    job = new Trawl(options).job('j');
  });
  afterEach(() => server.close());

  const urlsOf = async (from: AsyncIterable<{ readonly url: string }>): Promise<string[]> => {
    const urls: string[] = [];
    for await (const { url } of from) urls.push(url);
    return urls;
  };
  const cursors = (): (string | null)[] =>
    server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('cursor'));

  it('yields its page results until the end', async () => {
    server.script(stream(RETRY + pages(1, 2) + ': keep-alive\n\n' + page(3) + status('completed') + end('completed'))); // prettier-ignore
    expect(await urlsOf(job)).toEqual(['u1', 'u2', 'u3']);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/crawl/j/events?cursor=0',
      headers: { accept: 'text/event-stream', 'x-api-key': 'k' },
    });
  });

  it.each<[string, string, 'end' | 'drop']>([
    ['broken between events', pages(1, 2), 'drop'],
    ['broken within an event', pages(1, 2) + page(3).slice(0, 30), 'drop'],
    ['ended by a stopping server', pages(1, 2) + 'retry: 1\n: stopping\n\n', 'end'],
    ['ended within an event', pages(1, 2) + page(3).slice(0, -1), 'end'],
  ])('continues after the last page result when the stream is %s', async (_, text, how) => {
    server.script(stream(RETRY + text, how), stream(page(3) + end('completed')));
    expect(await urlsOf(job)).toEqual(['u1', 'u2', 'u3']);
    expect(cursors()).toEqual(['0', '2']);
  });

  it('drops page results that come twice', async () => {
    server.script(stream(RETRY + pages(1, 2, 2, 1), 'drop'), stream(pages(1, 2, 3) + end('x')));
    expect(await urlsOf(job)).toEqual(['u1', 'u2', 'u3']);
  });

  it('reads events however they are cut', async () => {
    const text = RETRY + page(1).replaceAll('\n', '\r\n') + page(2) + end('completed');
    server.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (at: number): void => {
        if (at === text.length) return void response.end();
        response.write(text.charAt(at), () => setImmediate(send, at + 1));
      };
      send(0);
    });
    expect(await urlsOf(job)).toEqual(['u1', 'u2']);
  });

  it('continues where the caller was, and yields positions and states', async () => {
    server.script(stream(page(8) + status('running', 8) + end('completed')));
    const updates: unknown[] = [];
    for await (const update of job.updates({ after: 7 })) updates.push(update);
    expect(cursors()).toEqual(['7']);
    expect(updates).toMatchObject([
      { type: 'page', position: 8, page: { url: 'u8' } },
      { type: 'status', job: { status: 'running', pages_scraped: 8 } },
    ]);
  });

  it('gives up after connections that bring nothing, with the last reason', async () => {
    server.script(drop(), stream(RETRY, 'drop'), apiErrorStep(503, 'draining', { 'retry-after': '0' })); // prettier-ignore
    await expect(urlsOf(job)).rejects.toMatchObject({ code: 'draining', status: 503 });
    expect(server.requests).toHaveLength(3);
    server.script(drop(), drop(), stream(RETRY, 'drop'));
    await expect(urlsOf(job)).rejects.toMatchObject({ code: 'network', retryable: true });
  });

  it('counts only interruptions without progress', async () => {
    const steps = [1, 2, 3, 4, 5].map((no) => stream(RETRY + page(no), 'drop'));
    server.script(...steps, stream(end('completed')));
    const interruptions: string[] = [];
    const followed = job.pages({ onInterruption: ({ code }) => interruptions.push(code) });
    expect(await urlsOf(followed)).toHaveLength(5);
    expect(interruptions).toEqual(Array(5).fill('network'));
  });

  it.each([
    [429, 'too_many_streams'],
    [503, 'streams_unavailable'],
  ])('is read by cursor while no stream is free: %i', async (code, name) => {
    const full = apiErrorStep(code, name, { 'retry-after': '0' });
    const slice = (...urls: string[]) => json({ results: urls.map((url) => ({ url, ok: true })) });
    const state = (name: string) => json({ id: 'j', status: name, pages_scraped: 3 });
    server.script(full, slice('u1', 'u2'), state('running'));
    server.script(full, slice(), state('running'), full, slice('u3'), state('completed'));
    expect(await urlsOf(job)).toEqual(['u1', 'u2', 'u3']);
    expect(server.left).toBe(0);
    expect(server.requests[4]?.path).toBe('/v1/crawl/j/results?cursor=2&limit=20');
  });

  it('does not report the failure of a job before its last page result', async () => {
    const full = apiErrorStep(429, 'too_many_streams', { 'retry-after': '0' });
    const slice = json({ results: [{ url: 'u1', ok: true }] });
    server.script(full, slice, json({ id: 'j', status: 'failed', pages_scraped: 2 }));
    server.script(stream(page(2) + status('failed') + end('failed')));
    const urls: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { url } of job) urls.push(url);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'job_failed',
      message: 'Job j failed: reason',
    });
    expect(urls).toEqual(['u1', 'u2']);
  });

  it('ends when it was cancelled, and rejects when it was deleted', async () => {
    server.script(stream(page(1) + status('cancelled') + end('cancelled')));
    expect(await urlsOf(job)).toEqual(['u1']);
    server.script(stream(page(1) + end('deleted')));
    await expect(urlsOf(job)).rejects.toMatchObject({ code: 'job_deleted' });
  });

  it('rejects at once when it does not exist', async () => {
    server.script(apiErrorStep(404, 'job_not_found'));
    await expect(urlsOf(job)).rejects.toMatchObject({ code: 'job_not_found', status: 404 });
    expect(server.requests).toHaveLength(1);
  });

  it('rejects when a stream is not one of Trawl', async () => {
    server.script(stream('event: document\nid: 1\ndata: <html>\n\n'));
    await expect(urlsOf(job)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it('closes its stream when the caller leaves the loop', async () => {
    let closed: Promise<unknown> | undefined;
    server.script((response, request) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      stream(pages(1, 2), 'open')(response, request);
    });
    for await (const { url } of job) {
      expect(url).toBe('u1');
      break;
    }
    await closed;
  });

  it('ends with the reason of the signal while nothing happens', async () => {
    const gone = new AbortController();
    server.script(stream(page(1), 'open'));
    const read = async (): Promise<void> => {
      for await (const _ of job.pages({ signal: gone.signal })) gone.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });

  it('is waited for until it is over', async () => {
    const seen: string[] = [];
    server.script(json({ status: 'running' }), json({ status: 'completed' }));
    const ended = await job.wait({ onStatus: (one) => seen.push(one.status) });
    expect(ended).toEqual({ status: 'completed' });
    expect(seen).toEqual(['running', 'completed']);
  });

  it('is waited for no longer than the caller wants', async () => {
    server.script(json({ status: 'running' }), json({ status: 'running' }));
    await expect(job.wait({ timeoutMs: 10 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('is looked at once at the end of the time, though a timer may end before it', async () => {
    server.script(json({ status: 'running' }), json({ status: 'running' }));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      await expect(job.wait({ timeoutMs: 10 })).rejects.toMatchObject({ code: 'timeout' });
    } finally {
      clock.mockRestore();
    }
    expect(server.requests).toHaveLength(2);
  });

  it('lists its URLs over all pages of the report', async () => {
    server.script(json({ urls: [{ url: 'a' }], next: '7' }), json({ urls: [], next: '9' }));
    server.script(json({ urls: [{ url: 'b' }], next: null }));
    expect(await urlsOf(job.urls({ state: 'failed' }))).toEqual(['a', 'b']);
    expect(cursors()).toEqual([null, '7', '9']);
    expect(server.requests[0]?.path).toBe('/v1/crawl/j/urls?state=failed&limit=1000');
  });

  it('says what it changes in a copy of the site', async () => {
    const lines = [
      { op: 'upsert', id: '1', url: 'a', change: 'new', result: { url: 'a' } },
      { op: 'delete', id: '2', url: 'b', reason: 'duplicate', moved_to: 'a' },
    ];
    server.script(stream(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    expect(await Array.fromAsync(job.changes())).toEqual(lines);
    expect(server.requests[0]).toMatchObject({
      ...{ path: '/v1/crawl/j/changes', headers: { accept: 'application/x-ndjson' } },
    });
    const changed = { ...lines[0], change: 'changed', diff: '-a', changed_lines: 1 };
    server.script(stream(`${JSON.stringify(changed)}\n`));
    expect(await Array.fromAsync(job.changes({ diff: true }))).toEqual([changed]);
    expect(server.requests[1]?.path).toBe('/v1/crawl/j/changes?diff=true');
  });

  it('searches its stored pages', async () => {
    server.script(json({ total: 0, results: [], next: null }));
    expect(await job.search('"a b" -c', { limit: 5, cursor: 'n' })).toMatchObject({ total: 0 });
    expect(server.requests[0]).toMatchObject({
      ...{ method: 'GET', path: '/v1/crawl/j/search?q=%22a+b%22+-c&limit=5&cursor=n' },
    });
  });

  it('has what the service said when it was started', async () => {
    server.script(json({ jobId: 'k', message: 'up to 7 pages instead of 50' }));
    const trawl = new Trawl({ baseUrl: server.url, apiKey: 'k' });
    const { id, message } = await trawl.crawl('http://a.example/');
    expect([id, message, job.message]).toEqual(['k', 'up to 7 pages instead of 50', undefined]);
  });
});
