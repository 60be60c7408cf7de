import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { until, type TrawlClient } from '@app/testing';
import { readWarc } from '../../libs/jobs/test/read-warc.js';
import { MODES, spawnApi, stopAll } from './deployment.js';
import { HeldPages } from './held-pages.js';
import { share } from './shared-cluster.js';
import { readBody, openAnswer } from './results-reading.js';
import {
  collectEvents,
  documentsOf,
  linesOf,
  ACCEPT_NDJSON,
  CRAWL_PAGES,
  ResultsFixture,
} from './results-fixture.js';

interface ReportedUrl {
  readonly url: string;
  readonly state: string;
  readonly reason: string | null;
  readonly kind: string;
  readonly rung: string | null;
  readonly status_code: number | null;
  readonly attempts: number;
  readonly depth: number;
  readonly parent: string | null;
  readonly ms: number | null;
  readonly finished_at: string | null;
}

interface UrlReport {
  readonly status: string;
  readonly discovered: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly urls: readonly ReportedUrl[];
  readonly next: string | null;
}

describe.each(MODES)('results, %s', (mode) => {
  let fixture: ResultsFixture;
  let other: TrawlClient;

  beforeAll(async () => {
    fixture = await ResultsFixture.start(() => share(mode));
    other = await fixture.service.otherTenant();
  });
  afterAll(() => fixture?.stop());

  async function urlReport(id: string, query = ''): Promise<UrlReport> {
    const answer = await fixture.client.call('GET', `/v1/crawl/${id}/urls${query}`);
    expect(answer.status).toBe(200);
    return answer.body as UrlReport;
  }

  function expectSums({ discovered, counts, urls }: UrlReport): void {
    for (const [state, count] of Object.entries(counts))
      expect([state, urls.filter((entry) => entry.state === state).length]).toEqual([state, count]);
    expect(urls).toHaveLength(discovered);
  }

  describe('the result file', () => {
    it.each(['gzip', 'identity'])('is the same documents as %s', async (coding) => {
      const response = await openAnswer(
        (await fixture.client.job(fixture.job.id)).result_url ?? '',
        {
          'accept-encoding': coding,
        },
      );
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'application/json',
        vary: 'accept-encoding',
        'content-disposition': expect.stringContaining(`crawl-${fixture.job.id}.json`),
      });
      expect(response.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      const bytes = await readBody(response);
      const text = (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      expect(JSON.parse(text)).toEqual(await fixture.client.results(fixture.job.id));
    });

    it('is reached at the API, from any process of it', async () => {
      const { result_url: url } = await fixture.client.job(fixture.job.id);
      expect(url?.startsWith(`${fixture.url}/downloads/`)).toBe(true);
      if (mode === 'embedded') return;
      const second = await spawnApi(fixture.service.env);
      try {
        const elsewhere = (url ?? '').replace(fixture.url, second.url);
        expect((await fetch(elsewhere)).status).toBe(200);
      } finally {
        await stopAll([second]);
      }
    });
  });

  describe('the URL report', () => {
    it('has the state of every address, and adds up', async () => {
      const page = await urlReport(fixture.job.id, '?limit=1000');
      expectSums(page);
      expect(page).toMatchObject({ status: 'completed', next: null });
      expect(page.counts).toMatchObject({ scraped: CRAWL_PAGES, pending: 0, leased: 0 });
      const of = (path: string) => page.urls.find(({ url }) => url === fixture.site.url(path));
      expect(page.urls[0]).toMatchObject({
        ...{
          url: fixture.site.url('/start'),
          state: 'scraped',
          depth: 0,
          parent: null,
          kind: 'page',
        },
        ...{ rung: 'plain', status_code: 200, attempts: 1, ms: expect.any(Number) },
      });
      expect(of('/private/a')).toMatchObject({ state: 'skipped', reason: 'robots', depth: 1 });
      const twins = ['a', 'b', 'c'].map((name) => of(`/twin/${name}`));
      expect(twins.map((twin) => twin?.reason).sort()).toEqual([
        'duplicate_content',
        'duplicate_content',
        null,
      ]);
      expect(of('/missing')).toMatchObject({ state: 'failed', status_code: 404 });
      expect(of('/tree/0')).toMatchObject({ state: 'scraped', parent: fixture.site.url('/start') });
      for (const entry of page.urls) expect(entry.finished_at).toMatch(/^20.*Z$/);
    });

    it('is paged by cursor, filtered, and streamed as lines: always the same', async () => {
      const { urls } = await urlReport(fixture.job.id, '?limit=1000');
      const seen: ReportedUrl[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const part: UrlReport = await urlReport(
          fixture.job.id,
          `?limit=7${cursor && `&cursor=${cursor}`}`,
        );
        expect(part.urls.length).toBeLessThanOrEqual(7);
        seen.push(...part.urls);
        cursor = part.next;
      }
      expect(seen).toEqual(urls);
      const lines = linesOf(
        gunzipSync(
          await readBody(
            await fixture.ofJob('urls', { ...ACCEPT_NDJSON, 'accept-encoding': 'gzip' }),
          ),
        ),
      );
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(urls);
      for (const reason of ['robots', 'limit']) {
        const part = await urlReport(fixture.job.id, `?limit=1000&reason=${reason}&state=skipped`);
        expect(part.urls).toEqual(urls.filter((entry) => entry.reason === reason));
        expect(part.urls.length).toBe(fixture.job.skipped[reason]);
      }
    });

    it.each(['limit=0', 'limit=1001', 'state=gone', 'cursor=x', 'reason=%20', 'state=a&state=b'])(
      'refuses %s',
      async (query) => {
        expect(
          (await fixture.client.call('GET', `/v1/crawl/${fixture.job.id}/urls?${query}`)).status,
        ).toBe(400);
      },
    );
  });

  describe('the URL report of a running crawl', () => {
    it('adds up at every poll, and no address is lost or listed twice', async () => {
      const held = new HeldPages(fixture.site, 40, 5);
      const jobId = await fixture.begin({ url: held.url, limit: 40 });
      const seen = new Set<string>();
      let looks = 0;
      for (let status = ''; status !== 'completed'; looks++) {
        held.answer(5);
        const page = await urlReport(jobId, '?limit=1000');
        expectSums(page);
        const urls = new Set(page.urls.map(({ url }) => url));
        expect(urls.size).toBe(page.discovered);
        for (const url of seen) expect(urls).toContain(url);
        for (const url of urls) seen.add(url);
        ({ status } = page);
      }
      expect(looks).toBeGreaterThan(5);
    });
  });

  describe('lines', () => {
    it('continue after a cursor, and are gzip where that is accepted', async () => {
      const all = await fixture.client.results(fixture.job.id);
      const rest = await readBody(
        await fixture.ofJob('results?cursor=10', { ...ACCEPT_NDJSON, 'accept-encoding': 'gzip' }),
      );
      expect(linesOf(gunzipSync(rest)).map((line) => JSON.parse(line) as unknown)).toEqual(
        all.slice(10),
      );
      const few = await readBody(await fixture.ofJob('results?cursor=3&limit=4&format=ndjson'));
      expect(linesOf(few).map((line) => JSON.parse(line) as unknown)).toEqual(all.slice(3, 7));
      expect(
        linesOf(
          await readBody(await fixture.ofJob(`results?cursor=${CRAWL_PAGES}`, ACCEPT_NDJSON)),
        ),
      ).toEqual([]);
    });
  });

  describe('an archive', () => {
    it('has the stored content of each page, strictly by WARC 1.1', async () => {
      const response = await fixture.ofJob('results?format=warc');
      expect(response.headers).toMatchObject({
        'content-type': 'application/warc',
        'content-disposition': expect.stringContaining(`crawl-${fixture.job.id}.warc.gz`),
      });
      const bytes = await readBody(response);
      const [info, ...records] = readWarc(bytes);
      expect(info?.fields.get('warc-type')).toBe('warcinfo');
      expect(new Set(records.map(({ fields }) => fields.get('warc-record-id'))).size).toBe(
        records.length,
      );
      const conversions = records.filter(({ fields }) => fields.get('warc-type') === 'conversion');
      const kept = await fixture.client.results(fixture.job.id);
      expect(
        conversions.map(({ fields, block }) => [fields.get('warc-target-uri'), block.toString()]),
      ).toEqual(kept.map(({ url, markdown }) => [url, markdown]));
      for (const { fields, block } of conversions) {
        const digest = createHash('sha256').update(block).digest('hex');
        expect(hexOf(fields.get('warc-block-digest') ?? '')).toBe(digest);
        expect(fields.has('warc-refers-to')).toBe(false);
      }
      // The same again, byte by byte: nothing in it depends on the time of the request.
      expect((await readBody(await fixture.ofJob('results?format=warc'))).equals(bytes)).toBe(true);
    });

    it('has the HTML of a job that stores it, and Markdown as its conversion', async () => {
      const { id } = await fixture.crawl({
        url: fixture.site.url('/docs'),
        limit: 2,
        scrapeOptions: { formats: ['markdown', 'rawHtml'] },
      });
      const records = readWarc(
        await readBody(await fixture.open(`/v1/crawl/${id}/results?format=warc`)),
      );
      expect(records.map(({ fields }) => fields.get('warc-type'))).toEqual([
        'warcinfo',
        ...['resource', 'conversion', 'metadata', 'resource', 'conversion', 'metadata'],
      ]);
      const [, html, markdown, metadata] = records;
      expect(html?.fields.get('content-type')).toBe('text/html; charset=utf-8');
      expect(html?.block.toString()).toContain('<h1>Small site /docs</h1>');
      for (const made of [markdown, metadata])
        expect(made?.fields.get('warc-refers-to')).toBe(html?.fields.get('warc-record-id'));
      expect(JSON.parse(metadata?.block.toString() ?? '')).toMatchObject({ statusCode: 200 });
    });
  });

  describe('another tenant', () => {
    it.each(['results', 'results?format=warc', 'results?format=ndjson', 'urls', 'events'])(
      'does not learn that there are %s',
      async (part) => {
        const answer = await other.call('GET', `/v1/crawl/${fixture.job.id}/${part}`);
        expect(answer).toMatchObject({ status: 404, body: { error: 'Job not found' } });
      },
    );
  });

  describe('a crawl without a page', () => {
    it('has empty results in every form, and a URL report with the reason', async () => {
      const empty = await fixture.crawl({
        url: fixture.site.url('/missing-from-the-start'),
        limit: 5,
      });
      expect(empty).toMatchObject({ status: 'failed', result_url: null });
      expect(await fixture.client.resultsSlice(empty.id)).toMatchObject({
        results: [],
        next: null,
      });
      const at = (part: string) => fixture.open(`/v1/crawl/${empty.id}/${part}`);
      expect(await readBody(await at('results?format=ndjson'))).toHaveLength(0);
      const records = readWarc(await readBody(await at('results?format=warc')));
      expect(records.map(({ fields }) => fields.get('warc-type'))).toEqual(['warcinfo']);
      const page = await urlReport(empty.id);
      expectSums(page);
      expect(page.urls).toMatchObject([{ state: 'failed', status_code: 404, depth: 0 }]);
      const events = await collectEvents(await at('events'));
      expect(events.map(({ event }) => event)).toEqual(['status', 'end']);
    });
  });

  describe('a cancelled crawl', () => {
    it('is consistent at once, and keeps its results', async () => {
      const held = new HeldPages(fixture.site, 60, 5);
      const jobId = await fixture.begin({ url: held.url, limit: 60 });
      const tail = collectEvents(await fixture.open(`/v1/crawl/${jobId}/events`));
      await until(async () => (await fixture.client.job(jobId)).pages_scraped >= 3, {
        what: 'some pages',
      });
      await fixture.client.cancel(jobId);
      held.release();
      const page = await urlReport(jobId, '?limit=1000');
      expect(page.status).toBe('cancelled');
      expectSums(page);
      const kept = await fixture.client.results(jobId);
      expect(kept).toHaveLength(page.counts['scraped'] ?? -1);
      const records = readWarc(
        await readBody(await fixture.open(`/v1/crawl/${jobId}/results?format=warc`)),
      );
      expect(records.filter(({ fields }) => fields.get('warc-type') === 'conversion')).toHaveLength(
        kept.length,
      );
      const events = await tail;
      expect(events.at(-1)).toEqual({ event: 'end', id: 'end', data: { status: 'cancelled' } });
      expect(documentsOf(events)).toEqual(kept);
    });
  });
});

function hexOf(digest: string): string {
  const bits = [...digest.replace(/^sha256:/, '').replaceAll('=', '')]
    .map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
    .join('');
  return Array.from({ length: 64 }, (_, n) =>
    Number.parseInt(bits.slice(n * 4, n * 4 + 4), 2).toString(16),
  ).join('');
}
