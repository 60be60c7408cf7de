import { DEFAULT_JOB_SCRAPE, type JobScrape } from '@app/contracts';
import { claimedPage } from '../../test/claimed-page.js';
import { jobPageRequest } from './job-page-request.js';
import { RequestPace } from '@app/scrape';

const SECRETS = { headers: { 'x-key': 'k' }, cookies: 'a=1' };

function requestOf(over: Parameters<typeof claimedPage>[0] = {}, scrape: Partial<JobScrape> = {}) {
  const { signal } = new AbortController();
  const options = { ...over.options, scrape: { ...DEFAULT_JOB_SCRAPE, ...scrape } };
  return jobPageRequest(claimedPage({ ...over, options }), {
    signal,
    pace: new RequestPace(signal),
    fetchTimeoutMs: 10_000,
    robotsAgent: 'TrawlBot',
  });
}

describe('the request of a page of a job', () => {
  it('by default: as Markdown, links judged for the frontier', () => {
    expect(requestOf()).toMatchObject({
      outputs: {
        ...{ markdown: true, rawHtml: false, links: false, branding: false, product: false },
        ...{ listing: false, fullText: false, blocks: false },
      },
      render: { contextKey: 'job site.example' },
      onRetryAfter: 'report',
      crawl: { pageKey: claimedPage().urlKey, depth: 1, robotsAgent: 'TrawlBot' },
    });
  });

  it('by the formats of the job', () => {
    const formats = ['rawHtml', 'links', 'branding', 'screenshot'] as const;
    expect(requestOf({}, { formats, listing: true })).toMatchObject({
      outputs: {
        ...{ markdown: true, rawHtml: true, links: true, branding: true, product: false },
        ...{ listing: true, screenshot: { fullPage: false, format: 'png' } },
      },
    });
  });

  it('with the time of its own waits added', () => {
    const fetch = { ...DEFAULT_JOB_SCRAPE.fetch, waitForMs: 5_000 };
    expect(requestOf({}, { fetch }).deadline.remainingMs()).toBeGreaterThan(14_000);
  });

  it.each<[string, string, boolean]>([
    ['the start page', 'http://site.example/docs/', true],
    ['a page of its origin', 'http://site.example/docs/a', true],
    ['another scheme', 'https://site.example/docs/a', false],
    ['another port', 'http://site.example:8080/docs/a', false],
    ['the other spelling of the host', 'http://www.site.example/docs/a', false],
  ])('sends headers and cookies to %s: %s', (_, url, isSent) => {
    const fetch = { ...DEFAULT_JOB_SCRAPE.fetch, ...SECRETS, country: 'DE' };
    const request = requestOf({ url }, { fetch });
    expect(request.fetch).toMatchObject({
      ...(isSent ? SECRETS : { headers: {}, cookies: null }),
      country: 'DE',
    });
    // Requests with them share no browser context with requests without them.
    expect(request.render.contextKey?.endsWith(' own')).toBe(isSent);
  });

  it('ignores robots directives where the caller requests it', () => {
    expect(requestOf({ options: { ignoreRobotsTxt: true } })).toMatchObject({
      ignoreRobotsTxt: true,
      crawl: { robotsAgent: null },
    });
  });
});
