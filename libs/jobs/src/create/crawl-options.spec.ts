import { DEFAULT_JOB_SCRAPE, type JobScrape } from '@app/contracts';
import { readCrawlOptions } from './crawl-options.js';

const OLD = {
  maxDepth: 2,
  includePaths: ['/a'],
  excludePaths: [],
  allowBackwardLinks: true,
  ignoreRobotsTxt: false,
};

describe('options of a crawl as they were stored', () => {
  it('of a version without sitemaps and scrape options continue unchanged', () => {
    expect(readCrawlOptions(OLD)).toEqual({ ...OLD, sitemap: 'skip', scrape: DEFAULT_JOB_SCRAPE });
  });

  it('are as they were sent', () => {
    const scrape: JobScrape = {
      formats: ['links'],
      listing: true,
      listingProvenance: true,
      fetch: { ...DEFAULT_JOB_SCRAPE.fetch, headers: { a: '1' }, cookies: 'b=2' },
      content: { ...DEFAULT_JOB_SCRAPE.content, onlyMainContent: true },
    };
    expect(readCrawlOptions({ ...OLD, sitemap: 'only', scrape })).toEqual({
      ...OLD,
      sitemap: 'only',
      scrape,
    });
  });

  it('are whole without the secrets that were erased', () => {
    const { headers: _, cookies: __, ...fetch } = DEFAULT_JOB_SCRAPE.fetch;
    const scrape = { ...DEFAULT_JOB_SCRAPE, fetch } as JobScrape;
    expect(readCrawlOptions({ ...OLD, scrape }).scrape.fetch).toMatchObject({
      headers: {},
      cookies: null,
    });
  });
});
