import { json, ScriptedServer } from '../test/scripted-server.js';
import type { TrawlPull } from './trawl-pull.js';
import { Trawl } from './trawl.js';

const page = (status: string, ...names: readonly string[]) =>
  json({ jobId: 'p', status, rows: names.map((name) => ({ name })), next: null });

describe('a pull', () => {
  let server: ScriptedServer;
  let pull: TrawlPull;

  beforeEach(async () => {
    server = await ScriptedServer.start();
    const options = { baseUrl: server.url, apiKey: 'k', retries: 2, retryDelayMs: 1 };
    server.script(json({ jobId: 'p', status: 'queued' }, 202));
    pull = await new Trawl(options).pull('p', { maxResults: 5 });
  });
  afterEach(() => server.close());

  const collect = async (from: AsyncIterable<Readonly<Record<string, unknown>>>) => {
    const names: unknown[] = [];
    for await (const { name } of from) names.push(name);
    return names;
  };
  const cursors = () =>
    server.requests
      .slice(1)
      .map(({ path }) => new URL(path, server.url).searchParams.get('cursor'));

  it('is started once, however often the request is repeated', () => {
    expect(server.requests[0]).toMatchObject({
      ...{ method: 'POST', path: '/v1/pull' },
      body: JSON.stringify({ maxResults: 5, jobId: 'p' }),
      headers: { 'idempotency-key': expect.any(String) },
    });
  });

  it('yields its rows in order, also those added while its end was read', async () => {
    server.script(
      page('running', 'a', 'b'),
      page('completed', 'c'),
      page('completed', 'd'),
      page('completed'),
    );
    expect(await collect(pull)).toEqual(['a', 'b', 'c', 'd']);
    expect(cursors()).toEqual(['0', '2', '3', '4']);
    expect(server.left).toBe(0);
  });

  it('continues after rows that were received before', async () => {
    server.script(page('completed', 'c'), page('completed'));
    expect(await collect(pull.rows({ after: 2 }))).toEqual(['c']);
    expect(cursors()).toEqual(['2', '3']);
  });

  it('throws the reason after the last row when it failed, and just ends when it was cancelled', async () => {
    server.script(
      page('failed', 'a'),
      page('failed'),
      json({ status: 'failed', error: 'no source' }),
    );
    const names: unknown[] = [];
    const read = async () => {
      for await (const { name } of pull) names.push(name);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'job_failed',
      message: expect.stringContaining('no source'),
    });
    expect(names).toEqual(['a']);
    server.script(page('cancelled', 'a'), page('cancelled'));
    expect(await collect(pull)).toEqual(['a']);
  });

  it('ends with the reason of its signal', async () => {
    server.script(page('running', 'a'));
    const end = new AbortController();
    const rows = pull.rows({ signal: end.signal });
    await rows.next();
    const next = rows.next();
    end.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });
});
