import { DEFAULT_JOB_SCRAPE, ApiError } from '@app/contracts';
import { parseJobScrape } from './job-scrape.js';

describe('scrape options of a job', () => {
  it.each([undefined, null, {}])('are the defaults for %j', async (value) => {
    expect(await parseJobScrape(value)).toEqual(DEFAULT_JOB_SCRAPE);
  });

  it('have the names and values of a scrape', async () => {
    const parsed = await parseJobScrape({
      formats: ['markdown', 'links', 'screenshot', 'branding'],
      extractListing: true,
      onlyMainContent: true,
      includeTags: ['main'],
      excludeTags: ['nav'],
      removeBase64Images: true,
      headers: { 'X-Key': 'k' },
      cookies: 'a=1; b=2',
      location: { country: 'de' },
      waitFor: 500,
      forceHeadless: true,
      scroll: true,
      preferMarkdown: true,
      blockAds: false,
    });
    expect(parsed).toEqual({
      formats: ['markdown', 'links', 'screenshot', 'branding'],
      listing: true,
      listingProvenance: false,
      fetch: {
        headers: { 'x-key': 'k' },
        cookies: 'a=1; b=2',
        country: 'DE',
        forceHeadless: true,
        waitForMs: 500,
        scroll: true,
        preferMarkdown: true,
        blockAds: false,
        actions: [],
        costCeilingMicroUsd: null,
      },
      content: {
        onlyMainContent: true,
        includeTags: ['main'],
        excludeTags: ['nav'],
        removeBase64Images: true,
      },
    });
  });

  it('may ask for passages, and for so many tokens', async () => {
    const passages = { query: 'price', max: 2 };
    expect(
      await parseJobScrape({
        formats: ['links', { type: 'passages', ...passages }],
        maxTokens: 500,
      }),
    ).toEqual({ ...DEFAULT_JOB_SCRAPE, formats: ['links'], passages, maxTokens: 500 });
  });

  it.each<[object, readonly string[]]>([
    [{ includeHtml: true }, ['markdown', 'rawHtml']],
    [{ includeHtml: true, formats: ['rawHtml'] }, ['rawHtml']],
    [{ includeHtml: false, formats: ['links'] }, ['links']],
  ])('keep the source with %j', async (value, formats) => {
    expect((await parseJobScrape(value)).formats).toEqual(formats);
  });

  it.each<[unknown, RegExp]>([
    ['markdown', /^`scrapeOptions` must be an object$/],
    [
      { dropRepeated: true, maxTokens: 500 },
      /^`scrapeOptions`: `dropRepeated` does not go with passages/,
    ],
    [
      { formats: [{ type: 'passages', query: 'a', rerank: true }] },
      /^`scrapeOptions`: `formats`: passages are put in order by a model only in POST \/v1\/scrape/,
    ],
    [[], /^`scrapeOptions` must be an object$/],
    [{ actions: [] }, /`scrapeOptions.actions` is not supported.*POST \/v1\/scrape/],
    [{ formats: ['markdown', 'json'] }, /must not contain json: it needs a model/],
    [{ formats: ['summary'] }, /must not contain summary/],
    [{ formats: ['pdf'] }, /^`scrapeOptions`: `formats` holds an unsupported value/],
    [{ formats: [] }, /^`scrapeOptions`: `formats` is empty/],
    [{ waitFor: 60_001 }, /^`scrapeOptions`: `waitFor` must be at most 60000/],
    [{ headers: { host: 'x' } }, /^`scrapeOptions`: `headers`/],
    [{ cookies: 'hello' }, /^`scrapeOptions`: `cookies` must look like/],
    [{ excludeTags: [')'] }, /^`scrapeOptions`: an entry of `excludeTags`/],
    [{ maxAge: 5 }, /^`scrapeOptions`: Unknown field `maxAge`/],
    [{ url: 'http://a.example/' }, /^`scrapeOptions`: Unknown field `url`/],
    [{ constructor: 1 }, /^`scrapeOptions`: Unknown field `constructor`/],
  ])('refuse %j', async (value, problem) => {
    const refused = await parseJobScrape(value).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect((refused as ApiError).message).toMatch(problem);
  });
});
