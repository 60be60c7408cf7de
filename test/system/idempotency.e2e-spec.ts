import { hash } from 'node:crypto';
import { docxOf, startFixtureSite, until, type Answer, type FixtureSite } from '@app/testing';
import { MODES, type Service } from './deployment.js';
import { isReplay, jobOf, postWithKey, REUSED, RUNNING, type Sent } from './idempotency-run.js';
import { share } from './shared-cluster.js';

const OPEN_JOBS = "jobs WHERE status NOT IN ('completed', 'failed', 'cancelled')";

describe.each(MODES)('Idempotency-Key, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(async () => {
    // Those of the case before would be charged in this one.
    await until(async () => (await count(OPEN_JOBS)) === 0, { what: 'the end of all jobs' });
    site.reset();
    await sql('TRUNCATE credit_ledger');
    await sql('TRUNCATE idempotency_keys');
  });

  const sql = async <T extends object = Record<string, unknown>>(text: string): Promise<T[]> =>
    service.database.query<T & Record<string, unknown>>({ name: hash('sha1', text), text });
  const count = async (table: string): Promise<number> =>
    (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ?? NaN;
  const charged = (operation: string) => count(`credit_ledger WHERE operation = '${operation}'`);
  const send = (path: string, sent: Sent) => postWithKey(service, path, sent);

  it('starts one crawl for the same request, however its fields are ordered', async () => {
    const before = await count('jobs');
    const url = site.url('/');
    const first = await send('/v1/crawl', { key: 'one', body: { url, maxPages: 1 } });
    const second = await send('/v1/crawl', {
      key: 'one',
      body: `{ "maxPages" : 1.0, "url": ${JSON.stringify(url)} }`,
    });
    expect([first.status, isReplay(first)]).toEqual([202, false]);
    expect([second.status, isReplay(second), second.text]).toEqual([202, true, first.text]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await count('jobs')).toBe(before + 1);
  });

  it('makes one job of 50 equal requests at once', async () => {
    const before = await count('jobs');
    const body = { url: site.url('/'), maxPages: 1 };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send('/v1/crawl', { key: 'fifty', body })),
    );
    expect(await count('jobs')).toBe(before + 1);
    const made = answers.filter((one) => one.status === 202);
    expect(new Set(made.map(jobOf)).size).toBe(1);
    expect(made.filter((one) => !isReplay(one)).length).toBe(1);
    const refused = answers.filter((one) => one.status !== 202);
    for (const one of refused) {
      expect([one.status, one.body, one.headers.get('retry-after')]).toEqual([409, RUNNING, '2']);
    }
    expect(isReplay(await send('/v1/crawl', { key: 'fifty', body }))).toBe(true);
  });

  it('refuses the key for another body and another address only', async () => {
    const body = { url: site.url('/'), maxPages: 1 };
    await send('/v1/crawl', { key: 'mine', body });
    for (const [path, other] of [
      ['/v1/crawl', { ...body, maxPages: 2 }],
      ['/v1/scrape', body],
    ] as const) {
      const answer = await send(path, { key: 'mine', body: other });
      expect([answer.status, answer.body]).toEqual([409, REUSED]);
    }
    const other = await service.otherTenant();
    const { apiKey } = other as unknown as { apiKey: string };
    const theirs = await send('/v1/crawl', { key: 'mine', body: { ...body, maxPages: 3 }, apiKey });
    expect([theirs.status, isReplay(theirs)]).toEqual([202, false]);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['with a space', 'a b'],
    ['not ASCII', 'caf\u00e9'],
  ])('refuses a key that is %s', async (_, key) => {
    const answer = await send('/v1/scrape', { key, body: { url: site.url('/') } });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: '`Idempotency-Key` must be 1 to 255 visible ASCII characters' },
    ]);
  });

  it('accepts the longest key, and none where the response is a secret', async () => {
    const longest = '~'.repeat(255);
    expect((await send('/v1/scrape', { key: longest, body: { url: site.url('/') } })).status).toBe(200); // prettier-ignore
    const answer = await send('/v1/webhooks/secret', { key: 'k' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'This endpoint takes no `Idempotency-Key`' },
    ]);
  });

  it('needs an API key first', async () => {
    const answer = await send('/v1/scrape', { key: 'k', body: {}, apiKey: 'nobody' });
    expect(answer.status).toBe(401);
    expect(await count('idempotency_keys')).toBe(0);
  });

  it('fetches and charges a page once, and replays the response', async () => {
    site.serve({ '/once': '<title>Once</title><p>Fetched a single time, and no more.</p>' });
    const body = { url: site.url('/once') };
    const first = await send('/v1/scrape', { key: 'page', body });
    const second = await send('/v1/scrape', { key: 'page', body });
    expect([second.status, isReplay(second), second.text]).toEqual([200, true, first.text]);
    expect(second.headers.get('x-credits-consumed')).toBe('1');
    expect([site.count('/once'), await charged('scrape')]).toEqual([1, 1]);
  });

  it('keeps a page that could not be had (422), which was work', async () => {
    const body = { url: site.url('/status/500') };
    const first = await send('/v1/scrape', { key: 'bad', body });
    const visits = site.count('/status/500');
    const second = await send('/v1/scrape', { key: 'bad', body });
    expect([first.status, second.status, isReplay(second)]).toEqual([422, 422, true]);
    expect(site.count('/status/500')).toBe(visits);
  });

  it('lets a request that was refused before any work be corrected under its key', async () => {
    const refused = await send('/v1/scrape', { key: 'typo', body: { url: 'htp:/nowhere' } });
    expect(refused.status).toBe(400);
    const broken = await send('/v1/scrape', { key: 'typo', body: '{"url":' });
    expect(broken.status).toBe(400);
    const right = await send('/v1/scrape', { key: 'typo', body: { url: site.url('/') } });
    expect([right.status, isReplay(right)]).toEqual([200, false]);
  });

  it('replays a large answer byte for byte, from storage', async () => {
    const text = 'All work and no play makes a very long page. '.repeat(12_000);
    site.serve({ '/large': `<title>Large</title><article><p>${text}</p></article>` });
    const body = { url: site.url('/large') };
    await sql("DELETE FROM daily_quotas WHERE operation = 'stored_answer_kib'");
    const first = await send('/v1/scrape', { key: 'large', body });
    expect(first.text.length).toBeGreaterThan(256 * 1024);
    expect(
      await sql("SELECT used FROM daily_quotas WHERE operation = 'stored_answer_kib'"),
    ).toEqual([{ used: Math.ceil(Buffer.byteLength(first.text) / 1_024) }]);
    const second = await send('/v1/scrape', { key: 'large', body });
    expect([second.status, isReplay(second), second.text === first.text]).toEqual([
      200,
      true,
      true,
    ]);
    const [row] = await sql<{ blob: string; waste: boolean }>(
      `SELECT blob_key AS blob, EXISTS (SELECT FROM page_cache_waste w WHERE w.blob_key = k.blob_key
         AND due_at > now() + interval '24 hours') AS waste FROM idempotency_keys k WHERE body IS NULL`,
    );
    expect(row).toEqual({ blob: expect.stringContaining('/idempotency/'), waste: true });
  });

  it('replays an answer from storage when its tenant has many in the database', async () => {
    const body = { url: site.url('/') };
    await sql(
      `INSERT INTO daily_quotas (tenant_id, operation, day, used)
       SELECT id, 'kept_answer_bytes', day, ${64 * 1024 * 1024}
       FROM tenants, (VALUES ((now() AT TIME ZONE 'UTC')::date), ((now() AT TIME ZONE 'UTC')::date + 1)) t (day)
       ON CONFLICT (tenant_id, operation, day) DO UPDATE SET used = excluded.used`,
    );
    const first = await send('/v1/scrape', { key: 'many', body });
    expect(first.text.length).toBeGreaterThan(1_024);
    const [row] = await sql<{ inline: boolean; blob: string | null }>(
      'SELECT body IS NOT NULL AS inline, blob_key AS blob FROM idempotency_keys',
    );
    expect(row).toEqual({ inline: false, blob: expect.stringContaining('/idempotency/') });
    const second = await send('/v1/scrape', { key: 'many', body });
    expect([second.status, isReplay(second), second.text === first.text]).toEqual([
      200,
      true,
      true,
    ]);
    // Small ones, as those that name a job, take no more room than their keys.
    const crawl = { key: 'small', body: { ...body, maxPages: 1 } };
    const [job, again] = [await send('/v1/crawl', crawl), await send('/v1/crawl', crawl)];
    expect([jobOf(again), isReplay(again)]).toEqual([jobOf(job), true]);
    const inline = "idempotency_keys WHERE key = 'small' AND body IS NOT NULL";
    expect(await count(inline)).toBe(1);
    await sql("DELETE FROM daily_quotas WHERE operation = 'kept_answer_bytes'");
  });

  it('counts the bytes of answers that it keeps in the database', async () => {
    await sql("DELETE FROM daily_quotas WHERE operation = 'kept_answer_bytes'");
    const { text } = await send('/v1/scrape', { key: 'counted', body: { url: site.url('/') } });
    expect(
      await sql("SELECT used FROM daily_quotas WHERE operation = 'kept_answer_bytes'"),
    ).toEqual([{ used: Buffer.byteLength(text) }]);
  });

  it('reports that storage has lost a response, and does not run again', async () => {
    // A page that no job of another test visits.
    const body = { url: site.url('/about') };
    await send('/v1/scrape', { key: 'gone', body });
    await sql(
      "UPDATE idempotency_keys SET body = NULL, blob_key = 'tenants/none/idempotency/x.body'",
    );
    const asked = site.count('/about');
    const answer = await send('/v1/scrape', { key: 'gone', body });
    expect([answer.status, answer.body]).toEqual([
      410,
      {
        error:
          'The stored answer for this `Idempotency-Key` no longer exists. The request was not run again. To run it, use another key.',
      },
    ]);
    expect([site.count('/about'), await charged('scrape')]).toEqual([asked, 1]);
  });

  // Made once: an archive holds the time it was made at.
  const documents = new Map(
    ['Minutes', 'Minutez', 'Equal'].map((text) => [text, new Uint8Array(docxOf([text]))]),
  );
  const form = (text: string, format?: string): FormData => {
    const data = new FormData();
    data.append('file', new Blob([documents.get(text) ?? '']), `${Math.random()}.docx`);
    if (format !== undefined) data.append('format', format);
    return data;
  };

  it('compares uploads by their bytes', async () => {
    const first = await send('/v1/parse', { key: 'file', body: form('Minutes') });
    const second = await send('/v1/parse', { key: 'file', body: form('Minutes') });
    expect([first.status, second.status, isReplay(second)]).toEqual([200, 200, true]);
    expect(second.text).toBe(first.text);
    for (const body of [form('Minutez'), form('Minutes', 'rag'), { url: site.url('/') }]) {
      const other = await send('/v1/parse', { key: 'file', body });
      expect([other.status, other.body]).toEqual([409, REUSED]);
    }
    expect(await charged('parse')).toBe(1);
  });

  it('converts one of many equal uploads at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('/v1/parse', { key: 'many', body: form('Equal') })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await charged('parse')).toBe(1);
  });

  it('finishes the work of a client that hung up, for its retry', async () => {
    let answer = (): void => undefined;
    site.serve({
      '/slow': ({ response }) => {
        answer = () => response.end('<title>Slow</title><p>It took its time, and here it is.</p>');
        response.writeHead(200, { 'content-type': 'text/html' });
        response.flushHeaders();
      },
    });
    const body = { url: site.url('/slow') };
    const hangUp = new AbortController();
    const lost = send('/v1/scrape', { key: 'slow', body, signal: hangUp.signal });
    await until(() => site.count('/slow') === 1, { what: 'the fetch' });
    hangUp.abort();
    await expect(lost).rejects.toThrow();
    const early = await send('/v1/scrape', { key: 'slow', body });
    expect([early.status, early.body]).toEqual([409, RUNNING]);
    answer();
    const retry = async (): Promise<Answer | false> => {
      const one = await send('/v1/scrape', { key: 'slow', body });
      return one.status !== 409 && one;
    };
    const late = await until(retry, { what: 'the answer' });
    expect([(late as Answer).status, isReplay(late as Answer)]).toEqual([200, true]);
    expect([site.count('/slow'), await charged('scrape')]).toEqual([1, 1]);
  });

  it('replays a streamed batch', async () => {
    const urls = [site.url('/'), site.url('/nowhere'), site.url('/')];
    const first = await send('/v1/batch', { key: 'batch', body: { urls } });
    const second = await send('/v1/batch', { key: 'batch', body: { urls } });
    expect([first.status, second.status, isReplay(second)]).toEqual([200, 200, true]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
  });

  it('finishes a streamed batch whose reader left', async () => {
    let answer = (): void => undefined;
    site.serve({
      '/last': ({ response }) => {
        answer = () => response.end('<title>Last</title><p>It took its time, and here it is.</p>');
        response.writeHead(200, { 'content-type': 'text/html' });
        response.flushHeaders();
      },
    });
    const body = { urls: [site.url('/'), site.url('/last')] };
    const hangUp = new AbortController();
    const lost = send('/v1/batch', { key: 'left', body, signal: hangUp.signal });
    await until(() => site.count('/last') === 1, { what: 'the fetch' });
    hangUp.abort();
    await expect(lost).rejects.toThrow();
    expect((await send('/v1/batch', { key: 'left', body })).body).toEqual(RUNNING);
    answer();
    const retry = async (): Promise<Answer | false> => {
      const one = await send('/v1/batch', { key: 'left', body });
      return one.status !== 409 && one;
    };
    const late = await until(retry, { what: 'the answer' });
    expect(isReplay(late as Answer)).toBe(true);
    expect((late as Answer).body).toMatchObject({ summary: { total: 2, ok: 2, failed: 0 } });
    expect(site.count('/last')).toBe(1);
  });

  /**
   * As a process leaves it that dies between the charge and the answer, once its lease has run out.
   */
  const loseAnswers = () =>
    sql(`UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, blob_key = NULL,
           lease_until = now() - interval '1 second'`);

  it.each<[string, string, () => unknown, number]>([
    ['a scrape', 'scrape', () => ({ url: site.url('/') }), 1],
    ['a map', 'map', () => ({ url: site.url('/') }), 1],
    ['an upload', 'parse', () => form('Minutes'), 1],
    ['a batch', 'batch', () => ({ urls: [site.url('/'), site.url('/?b'), site.url('/')] }), 2],
  ])('runs %s again whose answer was lost, and charges it once', async (_, path, body, credits) => {
    const first = await send(`/v1/${path}`, { key: 'lost', body: body() });
    await loseAnswers();
    const second = await send(`/v1/${path}`, { key: 'lost', body: body() });
    expect([first.status, second.status, isReplay(second)]).toEqual([200, 200, false]);
    expect(await count('credit_ledger')).toBe(credits);
    const other = await send(`/v1/${path}`, { key: 'new', body: body() });
    expect([other.status, await count('credit_ledger')]).toEqual([200, 2 * credits]);
  });

  it('starts one batch job', async () => {
    const before = await count('jobs');
    const body = { urls: [site.url('/')], async: true };
    const [first, second] = [
      await send('/v1/batch', { key: 'async', body }),
      await send('/v1/batch', { key: 'async', body }),
    ];
    expect([first.status, second.status, jobOf(second)]).toEqual([202, 202, jobOf(first)]);
    expect(await count('jobs')).toBe(before + 1);
  });

  it('a day later the key is new', async () => {
    const body = { url: site.url('/'), maxPages: 1 };
    const first = await send('/v1/crawl', { key: 'day', body });
    await sql("UPDATE idempotency_keys SET expires_at = now() WHERE key = 'day'");
    const second = await send('/v1/crawl', { key: 'day', body });
    expect([second.status, isReplay(second)]).toEqual([202, false]);
    expect(jobOf(second)).not.toBe(jobOf(first));
    await service.client.cancel(jobOf(second));
  });

  it('is documented on every POST that accepts it', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, { post?: { parameters?: { name: string }[]; responses: object } }>;
    };
    const posts = Object.entries(document.paths).filter(([, { post }]) => post);
    expect(posts.length).toBeGreaterThan(5);
    for (const [path, { post }] of posts) {
      const names = (post?.parameters ?? []).map(({ name }) => name);
      const isTaken = names.includes('Idempotency-Key') && '409' in (post?.responses ?? {});
      const takesIt = /^\/v[12]\//.test(path) && !SHOWN_ONCE.has(path);
      expect([path, isTaken]).toEqual([path, takesIt]);
    }
  });
});

/** What they answer is shown once, so it is not kept. */
const SHOWN_ONCE: ReadonlySet<string> = new Set([
  '/v1/webhooks/secret',
  '/v1/keys',
  '/v1/keys/provision',
  '/v1/keys/{id}/rotate',
]);
