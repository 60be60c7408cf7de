import { startFolderSite, type SiteServer } from '@app/testing';
import { MANUAL_QUESTIONS } from '../setup/manual-questions.js';
import { realSite } from '../setup/real-site.js';
import { deploy, type Deployment } from './deployment.js';

const CRAWL_MS = 300_000;
/** More than the manual has. */
const LIMIT = 2_000;

interface Found {
  readonly total: number;
  readonly results: readonly { readonly url: string; readonly title: string }[];
}

describe('a search of a real site (the PostgreSQL manual)', () => {
  let site: SiteServer;
  let service: Deployment;
  let jobId: string;

  beforeAll(async () => {
    site = await startFolderSite(realSite());
    service = await deploy('cluster', {
      env: { BROWSER_MAX: '0', CRAWL_MAX_PAGES: String(LIMIT), HOST_WINDOW_START: '16' },
    });
    const { client } = service;
    ({ jobId } = await client.crawl({ url: site.url('/index.html'), limit: LIMIT, index: true }));
    const job = await client.waitForEnd(jobId, { timeoutMs: CRAWL_MS });
    expect(job.pages_scraped).toBeGreaterThan(1_000);
  }, CRAWL_MS + 120_000);
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  /** 1 for the best match; Infinity: not among the first ten. */
  async function rankOf({ query, page }: (typeof MANUAL_QUESTIONS)[number]): Promise<number> {
    const path = `/v1/crawl/${jobId}/search?q=${encodeURIComponent(query)}`;
    const { results } = (await service.client.call('GET', path)).body as Found;
    const at = results.findIndex(({ url }) => url.endsWith(`/${page}`));
    return at === -1 ? Infinity : at + 1;
  }

  it('has the page that answers a question first for 16 of 20, and among the first five for all', async () => {
    const ranks: [string, number][] = [];
    for (const question of MANUAL_QUESTIONS) ranks.push([question.query, await rankOf(question)]);
    expect(ranks.filter(([, rank]) => rank > 5)).toEqual([]);
    expect(ranks.filter(([, rank]) => rank === 1).length).toBeGreaterThanOrEqual(16);
  });

  it('has every scraped page in the index', async () => {
    const text = `SELECT (SELECT count(*)::int FROM page_texts WHERE job_id = $1) AS texts,
                         (SELECT scraped FROM jobs WHERE id = $1) AS scraped`;
    const rows = await service.database.query<{ texts: number; scraped: number }>(
      { name: 'spec texts', text },
      [jobId],
    );
    expect(rows[0]?.texts).toBe(rows[0]?.scraped);
  });
});
