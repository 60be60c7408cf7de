import { readdirSync } from 'node:fs';
import { seededRandom, startFolderSite, type SiteServer } from '@app/testing';
import { realSite } from '../setup/real-site.js';
import { type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import { isFullRun } from '../setup/full-run.js';

const SAMPLE = isFullRun ? 60 : 8;
const SEED = 15;
const PARALLEL = 3;

interface BothWays {
  readonly page: string;
  readonly plain: Scraped;
  readonly rendered: Scraped;
}

interface Scraped {
  readonly markdown: string;
  readonly metadata: { readonly title?: string; readonly fetchMethod: string };
}

describe('real pages (the PostgreSQL manual)', () => {
  let site: SiteServer;
  let service: Service;

  beforeAll(async () => {
    site = await startFolderSite(realSite());
    service = await share();
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  async function scrape(page: string, options: object): Promise<Scraped> {
    const { status, text, body } = await service.client.scrape({
      ...options,
      url: site.url(`/${page}`),
    });
    if (status !== 200) throw new Error(`${page}: HTTP ${status} ${text.slice(0, 300)}`);
    return body as Scraped;
  }

  async function scrapeAll(pages: string[]): Promise<BothWays[]> {
    const outcomes: BothWays[] = [];
    const work = async () => {
      for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
        const plain = await scrape(page, {});
        outcomes.push({ page, plain, rendered: await scrape(page, { forceHeadless: true }) });
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    return outcomes;
  }

  it(`have the same Markdown plain and rendered, byte for byte (${SAMPLE} of them)`, async () => {
    const outcomes = await scrapeAll(samplePages());
    expect(outcomes).toHaveLength(SAMPLE);
    for (const { page, plain, rendered } of outcomes) {
      const methods = [plain, rendered].map(({ metadata }) => metadata.fetchMethod);
      expect([page, ...methods]).toEqual([page, 'plain', 'headless']);
      expect([page, rendered.metadata.title]).toEqual([page, plain.metadata.title]);
      expect([page, plain.markdown.trim()]).not.toEqual([page, '']);
    }
    // Only the pages that differ, so that a failure shows their differences and nothing else.
    const differing = outcomes.filter(
      ({ plain, rendered }) => plain.markdown !== rendered.markdown,
    );
    const textsOf = (way: 'plain' | 'rendered') =>
      Object.fromEntries(differing.map((outcome) => [outcome.page, outcome[way].markdown]));
    expect(textsOf('rendered')).toEqual(textsOf('plain'));
  });

  it('are crawled: exactly 50 of them, each once, with their titles', async () => {
    site.reset();
    const { jobId } = await service.client.crawl({ url: site.url('/index.html'), limit: 50 });
    const job = await service.client.waitForEnd(jobId, { timeoutMs: 60_000 });
    expect(job).toMatchObject({ status: 'completed', pages_scraped: 50, error: null });
    const { pending, leased, scraped, failed, skipped, cancelled, discovered } = job.pages;
    expect(pending + leased + scraped + failed + skipped + cancelled).toBe(discovered);
    expect(site.requests().filter(({ path }) => path.endsWith('.html'))).toHaveLength(50);
    const wordsOf = (text: unknown) =>
      String(text)
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? '';
    for await (const { url, markdown, metadata } of service.client.ndjson(job.id))
      expect([url, wordsOf(markdown)]).toEqual([
        url,
        expect.stringContaining(wordsOf(metadata['title'])),
      ]);
  });
});

/** The same pages in every run, drawn from all of the manual. */
function samplePages(): string[] {
  const left = readdirSync(realSite())
    .filter((name) => name.endsWith('.html'))
    .sort();
  const random = seededRandom(SEED);
  return Array.from({ length: SAMPLE }, () =>
    left.splice(random.int(0, left.length - 1), 1),
  ).flat();
}
