import { DEFAULT_JOB_SCRAPE, type JobScrape } from '@app/contracts';
import { claimedPage, documentResult } from '../../test/claimed-page.js';
import { jobPageRequest, scopeAfter } from './job-page-request.js';
import { RequestPace } from '@app/scrape';
import { NOT_REQUESTED } from '../../../scrape/src/page/page-result.js';

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
        ...{ listing: false, fullText: false, contentKey: true, packed: true },
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
        ...{ markdown: false, rawHtml: true, links: true, branding: true, product: false },
        ...{ listing: true, screenshot: { fullPage: false, format: 'png' } },
      },
    });
  });

  it('with Markdown and its blocks where what pages repeat is dropped', () => {
    const { outputs } = requestOf({}, { formats: ['links'], dropRepeated: true });
    expect(outputs).toMatchObject({ markdown: true, links: true, blocks: true, contentKey: true });
    expect(outputs.packed).toBeUndefined();
  });

  it('asks whether it has changed, but for the start page and one in twenty', () => {
    const validators = { etag: '"1"' };
    const urlKey = 'ff'.repeat(16);
    expect(requestOf({ validators, urlKey })).toMatchObject({ validators });
    const inFull = [{ depth: 0 }, { urlKey: `${'ff'.repeat(15)}0c` }];
    for (const over of inFull)
      expect(requestOf({ validators, urlKey, ...over })).not.toHaveProperty('validators');
  });

  it('with the time of its own waits added', () => {
    jest.useFakeTimers();
    const fetch = { ...DEFAULT_JOB_SCRAPE.fetch, waitForMs: 5_000 };
    expect(requestOf({}, { fetch }).deadline.remainingMs()).toBeGreaterThan(14_000);
    jest.useRealTimers();
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

  it('has a browser context of its own with a profile', () => {
    const fetch = { ...DEFAULT_JOB_SCRAPE.fetch, profile: 'shop' };
    expect(requestOf({}, { fetch }).render.contextKey).toBeNull();
  });

  it('sends them no further where the crawl goes on elsewhere', () => {
    const fetch = { ...DEFAULT_JOB_SCRAPE.fetch, ...SECRETS };
    const scopeUrl = 'http://new.example/';
    const request = requestOf({ url: `${scopeUrl}a`, scopeUrl }, { fetch });
    expect(request.fetch).toMatchObject({ headers: {}, cookies: null });
    expect(request.crawl?.scope.seed).toBe(scopeUrl);
  });

  it('ignores robots directives where the caller requests it', () => {
    expect(requestOf({ options: { ignoreRobotsTxt: true } })).toMatchObject({
      ignoreRobotsTxt: true,
      crawl: { robotsAgent: null },
    });
  });

  it('respects a use where the caller names one', () => {
    expect(requestOf({ options: { respectUse: 'ai-train' } }).respectUse).toBe('ai-train');
    expect(requestOf({})).not.toHaveProperty('respectUse');
  });
});

describe('the scope of a crawl after the page', () => {
  const FINAL = 'https://new.example/docs/';
  const seed = { url: 'http://site.example/docs/', depth: 0 };
  const after = (over: Parameters<typeof claimedPage>[0], url = FINAL) =>
    scopeAfter(claimedPage({ ...over, jobId: JSON.stringify(over) }), documentResult({ url })).seed;

  it('is where the start page ended', () => {
    expect(after(seed)).toBe(FINAL);
    expect(after(seed, 'https://www.site.example/docs/intro')).toBe(seed.url);
    expect(after({ ...seed, options: { maxDepth: 1 } }, 'http://site.example/en/')).toBe(
      'http://site.example/en/',
    );
  });

  it.each<[string, Parameters<typeof claimedPage>[0]]>([
    ['another page', { url: 'http://site.example/docs/a' }],
    ['a crawl that keeps to its URL', { ...seed, options: { strictScope: true } }],
    ['a batch', { ...seed, jobType: 'batch' }],
    ['a sitemap', { ...seed, kind: 'sitemap' }],
  ])('is the same after %s', (_, over) => {
    expect(after(over)).toBe('http://site.example/docs/');
  });

  it('is the same when the start page failed', () => {
    const failed = { ...NOT_REQUESTED, errorClass: 'timeout', problem: '' } as const;
    expect(scopeAfter(claimedPage(seed), failed).seed).toBe(seed.url);
  });
});
