import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { until, type JobResponse, type ResultPage, type SpawnedApp } from '@app/testing';
import { deploy, MODES, type Deployment } from './deployment.js';
import { readBody, eventsOf, openAnswer, type ServerEvent } from './results-reading.js';
import { linesOf, ACCEPT_NDJSON, CRAWL_PAGES, ResultsFixture } from './results-fixture.js';

const HTML_CHARS = 400_000;
const ENV = {
  BROWSER_MAX: '0',
  HOST_WINDOW_START: '8',
  RESULT_URL_SECONDS: '600',
  LEASE_MS: '2000',
};

describe.each(MODES)('slow readers of results, %s', (mode) => {
  let fixture: ResultsFixture<Deployment>;
  let large: JobResponse;

  beforeAll(async () => {
    fixture = await ResultsFixture.start(() => deploy(mode, { env: ENV }));
    const filler = (n: number) =>
      `<p>Page ${n} has a text of its own, number ${n}.</p>\n`.repeat(HTML_CHARS / 50);
    const link = (n: number) => `<a href="/large/${n}">${n}</a>`;
    fixture.site.serve(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, n) => [
          `/large/${n}`,
          `<html><body><main>${filler(n)}${link(n + 1)} ${link(n + 2)}</main></body></html>`,
        ]),
      ),
    );
    large = await fixture.crawl({
      url: fixture.site.url('/large/0'),
      limit: 50,
      scrapeOptions: { formats: ['markdown', 'rawHtml'] },
    });
    expect(large.pages_scraped).toBe(50);
  });
  afterAll(() => fixture?.stop());

  it('delay no other reader and nothing is buffered for them; in the end they have it all', async () => {
    const link = (await fixture.client.job(large.id)).result_url ?? '';
    const before = await rssMb(fixture.service.apps[0]);
    const slow = await Promise.all([
      ...Array.from({ length: 5 }, () => openAnswer(link)),
      ...Array.from({ length: 5 }, () => openAnswer(link, { 'accept-encoding': 'gzip' })),
      ...Array.from({ length: 5 }, () =>
        fixture.open(`/v1/crawl/${large.id}/results`, ACCEPT_NDJSON),
      ),
      ...Array.from({ length: 5 }, () => fixture.open(`/v1/crawl/${large.id}/events`)),
    ]);
    // Nobody reads; the service does other work meanwhile, and could not hold the 600 MB of them.
    for (let n = 0; n < 20; n++)
      expect((await fixture.client.results(fixture.job.id)).length).toBe(CRAWL_PAGES);
    expect((await rssMb(fixture.service.apps[0])) - before).toBeLessThan(250);
    const bodies = await Promise.all(slow.map(readBody));
    const texts = bodies
      .slice(0, 10)
      .map((body, n) => (n < 5 ? body : gunzipSync(body)).toString());
    for (const text of texts) expect((JSON.parse(text) as unknown[]).length).toBe(50);
    for (const body of bodies.slice(10, 15)) expect(linesOf(body)).toHaveLength(50);
    for (const body of bodies.slice(15)) expect(body.toString()).toMatch(/event: end\n.*\n.*\n\n$/);
  });

  it('are limited for each tenant over all forms, and a slot is free when a reader is done', async () => {
    const link = (await fixture.client.job(large.id)).result_url ?? '';
    const lines = (part: string) => fixture.open(`/v1/crawl/${large.id}/${part}`, ACCEPT_NDJSON);
    const archive = () => fixture.open(`/v1/crawl/${large.id}/results?format=warc`);
    const held: IncomingMessage[] = [];
    // 20 MB each: who does not read is still being answered.
    for (let n = 0; n < 10; n++) held.push(await lines('results'), await openAnswer(link));
    expect(held.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    for (const open of [
      () => lines('results'),
      () => lines('urls'),
      archive,
      () => openAnswer(link),
    ]) {
      const refused = await open();
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
      expect(JSON.parse(String(await readBody(refused)))).toEqual({
        error:
          'Rate limit exceeded: 20 concurrent streamed answers per account. Retry after reading one of them.',
      });
    }
    // Pages of results are no streams, and event streams are counted apart.
    expect((await fixture.client.results(fixture.job.id)).length).toBe(CRAWL_PAGES);
    const tail = await fixture.open(`/v1/crawl/${large.id}/events`);
    expect(tail.statusCode).toBe(200);
    tail.destroy();
    const [read, ...left] = held;
    if (read) await readBody(read);
    await until(
      async () => {
        const again = await lines('urls');
        await readBody(again);
        return again.statusCode === 200;
      },
      { what: 'a free place' },
    );
    for (const one of left) one.destroy();
  });

  it('see that a process was killed: no part of a body looks like the whole', async () => {
    const link = (await fixture.client.job(large.id)).result_url ?? '';
    const readers = await Promise.all([
      openAnswer(link, { 'accept-encoding': 'gzip' }),
      openAnswer(link),
      fixture.open(`/v1/crawl/${large.id}/results`, ACCEPT_NDJSON),
      fixture.open(`/v1/crawl/${large.id}/events`),
    ]);
    await fixture.service.apps[0]?.process.kill9();
    for (const reader of readers) await expect(readBody(reader)).rejects.toThrow('aborted');
    await fixture.restart();
    const again = await fetch(link.replace(/^http:\/\/[^/]+/, fixture.url));
    expect(((await again.json()) as ResultPage[]).length).toBe(50);
  });

  it('of events get the time to reconnect when the process stops', async () => {
    const jobId = await fixture.begin({ url: fixture.site.url('/slow/5000/stop'), limit: 50 });
    const others: string[] = [];
    const tail = (async () => {
      const events: ServerEvent[] = [];
      const response = await fixture.open(`/v1/crawl/${jobId}/events`);
      for await (const event of eventsOf(response, (line) => others.push(line))) events.push(event);
      return events;
    })();
    await until(() => others.length > 0, { what: 'the stream to be open' });
    fixture.service.apps[0]?.process.signal('SIGTERM');
    expect((await tail).every(({ event }) => event === 'status')).toBe(true);
    expect(others).toEqual(['retry: 2000', 'retry: 1000', ': stopping']);
    await fixture.service.apps[0]?.process.exited;
    await fixture.restart();
    await fixture.client.cancel(jobId);
  });
});

async function rssMb(app: SpawnedApp | undefined): Promise<number> {
  const status = await readFile(`/proc/${app?.process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
