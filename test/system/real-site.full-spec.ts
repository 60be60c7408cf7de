import { startFolderSite, type JobResponse, type SiteServer } from '@app/testing';
import { realSite } from '../setup/real-site.js';
import { deploy, MODES, type Deployment, type Mode } from './deployment.js';

const CRAWL_MS = 240_000;

describe('a crawl of a real site (the PostgreSQL manual)', () => {
  let site: SiteServer;
  let service: Deployment | undefined;

  beforeAll(async () => {
    site = await startFolderSite(realSite());
  });
  afterAll(() => site?.close());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  async function crawl(limit: number): Promise<JobResponse> {
    if (!service) throw new Error('not deployed');
    const { jobId } = await service.client.crawl({ url: site.url('/index.html'), limit });
    return service.client.waitForEnd(jobId, { timeoutMs: CRAWL_MS });
  }

  const sumOf = ({ pages }: JobResponse): number =>
    pages.pending + pages.leased + pages.scraped + pages.failed + pages.skipped + pages.cancelled;

  it.each(
    inTheseModes<[Mode, number]>([
      ['embedded', 1],
      ['cluster', 3],
    ]),
  )('brings exactly 1,000 pages with their titles, %s with %i fetchers', async (mode, fetchers) => {
    service = await deploy(mode, { fetchers, env: { BROWSER_MAX: '0' } });
    const job = await crawl(1_000);
    expect(job).toMatchObject({ status: 'completed', pages_scraped: 1_000, error: null });
    expect(sumOf(job)).toBe(job.pages.discovered);
    const urls = new Set<string>();
    for await (const { url, markdown, metadata } of service.client.ndjson(job.id)) {
      urls.add(url);
      const words = (text: unknown) =>
        String(text)
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim();
      expect(words(markdown)).not.toBe('');
      expect([url, words(markdown)]).toEqual([
        url,
        expect.stringContaining(titleText(words(metadata['title']))),
      ]);
    }
    expect(urls.size).toBe(1_000);
  });

  it.each(
    inTheseModes<[Mode, number, number]>([
      ['embedded', 1, 1],
      ['embedded', 1, 8],
      ['embedded', 1, 32],
      ['cluster', 1, 1],
      ['cluster', 2, 4],
      ['cluster', 3, 32],
    ]),
  )(
    'brings exactly 50 pages, %s with %i fetchers of %i workers',
    async (mode, fetchers, workers) => {
      service = await deploy(mode, {
        fetchers,
        env: {
          BROWSER_MAX: '0',
          CRAWL_CONCURRENCY: String(workers),
          HOST_WINDOW_START: '32',
          HOST_WINDOW_MAX: '32',
        },
      });
      site.reset();
      const job = await crawl(50);
      expect(job).toMatchObject({ status: 'completed', pages_scraped: 50 });
      expect(sumOf(job)).toBe(job.pages.discovered);
      expect(site.requests().filter(({ path }) => path.endsWith('.html'))).toHaveLength(50);
    },
  );
});

function inTheseModes<T extends readonly [Mode, ...unknown[]]>(rows: readonly T[]): readonly T[] {
  return rows.filter(([mode]) => MODES.includes(mode));
}

/** `<title>` counts chapters ("5.3. Constraints"); the heading is the same text. */
function titleText(title: string): string {
  return title;
}
