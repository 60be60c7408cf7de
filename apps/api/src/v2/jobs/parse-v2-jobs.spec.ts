import { ApiError } from '@app/contracts';
import { Warnings } from '../options/warnings.js';
import { parseV2Batch } from './v2-batch.controller.js';
import { parseV2Crawl } from './parse-v2-crawl.js';

const URL = 'http://a.example/';

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'none',
    (cause: unknown) => cause,
  );
  return error instanceof ApiError ? error.code : String(error);
}

describe('a crawl of /v2', () => {
  const parse = async (fields: object) => {
    const warnings = new Warnings();
    const { request, extras } = await parseV2Crawl({ url: URL, ...fields }, warnings);
    return { request, extras, warning: warnings.text };
  };

  it('is one of /v1, with the defaults of /v2', async () => {
    const { request, extras, warning } = await parse({
      ...{ limit: 3, maxDiscoveryDepth: 2, crawlEntireDomain: true, ignoreRobotsTxt: true },
      ...{ webhook: { url: 'http://w.example/' }, prompt: null, zeroDataRetention: false },
      scrapeOptions: { formats: ['markdown'], maxAge: 14_400_000, waitFor: 5, blockAds: false },
    });
    expect(request).toMatchObject({
      ...{ url: URL, limit: 3, maxDepth: 2, allowBackwardLinks: true, ignoreRobotsTxt: true },
      webhook: 'http://w.example/',
      scrapeOptions: {
        onlyMainContent: true,
        removeBase64Images: true,
        waitFor: 5,
        blockAds: false,
      },
    });
    expect([extras, warning]).toEqual([{}, null]);
  });

  it.each([
    ['/blog/*', 'paths'],
    ['/docs', 'paths'],
    ['blog', 'paths'],
    ['/a.b', 'paths'],
    ['/a?b', 'paths'],
    ['^/blog', 'regexes'],
    ['/blog/.*', 'regexes'],
    ['/blog$', 'regexes'],
    ['/(a|b)/', 'regexes'],
    ['/[ab]', 'regexes'],
    ['/\\d', 'regexes'],
    ['/a+', 'regexes'],
    ['a|b', 'regexes'],
  ])('knows the kind of the pattern %s: %s', async (pattern, kind) => {
    const { request, extras } = await parse({ includePaths: [pattern], excludePaths: [pattern] });
    expect([request.includePaths, request.excludePaths, extras.pathRegexes]).toEqual(
      kind === 'paths'
        ? [[pattern], [pattern], undefined]
        : [[], [], { include: [pattern], exclude: [pattern] }],
    );
  });

  it('searches patterns in the whole URL where the client says so', async () => {
    const includePaths = ['/shop', 'add-to-cart=', '/a?b', '?page=', '*.html'];
    const { request, extras, warning } = await parse({ includePaths, regexOnFullURL: true });
    expect([request.includePaths, extras.pathRegexes, warning]).toEqual([
      ['?page=', '*.html'],
      { include: ['/shop', 'add-to-cart=', '/a?b'], exclude: [], isOnUrl: true },
      null,
    ]);
  });

  it('takes as many patterns as its clients send', async () => {
    const of = (count: number) => Array.from({ length: count }, (_, at) => `.*word-${at}.*`);
    const { extras } = await parse({ includePaths: of(170), excludePaths: of(115) });
    expect(extras.pathRegexes).toEqual({ include: of(170), exclude: of(115) });
    const longest = `^/${'a'.repeat(1_998)}`;
    expect(
      (await parse({ excludePaths: [longest, ...of(999)] })).extras.pathRegexes?.exclude,
    ).toHaveLength(1_000);
  });

  it.each<[object, string]>([
    [{ prompt: 'the blog' }, 'unsupported_option'],
    [{ zeroDataRetention: true }, 'unsupported_option'],
    [{ scrapeOptions: { redactPII: true } }, 'unsupported_option'],
    [{ scrapeOptions: { lockdown: true } }, 'unsupported_option'],
    [{ scrapeOptions: { profile: { name: 'a' } } }, 'unsupported_option'],
    [{ scrapeOptions: { zeroDataRetention: true } }, 'unsupported_option'],
    [{ scrapeOptions: { actions: [{ type: 'wait', milliseconds: 1 }] } }, 'unsupported_action'],
    [{ scrapeOptions: { formats: ['html'] } }, 'unsupported_format'],
    [
      { scrapeOptions: { formats: ['markdown', { type: 'json', schema: {} }] } },
      'unsupported_format',
    ],
    [{ scrapeOptions: { formats: [{ type: 'nix' }] } }, 'unsupported_format'],
    [{ scrapeOptions: [] }, 'invalid_request'],
    [{ includePaths: Array.from({ length: 1_001 }, () => '/a') }, 'invalid_request'],
    [{ includePaths: [`/${'a'.repeat(2_000)}`] }, 'invalid_request'],
    [{ excludePaths: [`^/${'a'.repeat(1_999)}`] }, 'invalid_request'],
    [{ regexOnFullURL: 'yes' }, 'invalid_request'],
    [{ includePaths: [1] }, 'invalid_request'],
    [{ includePaths: '/a' }, 'invalid_request'],
    [{ includePaths: ['^\0'] }, 'invalid_request'],
    [{ limit: 0 }, 'invalid_request'],
    [{ webhook: { headers: {} } }, 'invalid_request'],
    [{ webhook: 1 }, 'invalid_request'],
    [{ url: undefined }, 'url_required'],
  ])('refuses %j: %s', async (fields, code) => {
    expect(await codeOf(parse(fields))).toBe(code);
  });

  it('names what it ignores', async () => {
    const { warning } = await parse({
      ...{
        sitemap: 'skip',
        allowSubdomains: true,
        allowExternalLinks: true,
        deduplicateSimilarURLs: true,
      },
      webhook: { url: URL, headers: { a: 'b' }, metadata: {}, events: ['page'] },
      scrapeOptions: { mobile: true, timeout: 5, formats: [{ type: 'markdown', x: 1 }] },
    });
    for (const name of ['sitemap', 'allowSubdomains', 'allowExternalLinks', 'webhook.headers'])
      expect(warning).toContain(name);
    for (const name of ['webhook.events', 'scrapeOptions.mobile', 'scrapeOptions.timeout'])
      expect(warning).toContain(name);
    expect(warning).toContain('scrapeOptions.formats.markdown.x');
    expect(warning).not.toContain('deduplicateSimilarURLs');
  });
});

describe('a batch of /v2', () => {
  const parse = (fields: object) => parseV2Batch({ urls: [URL], ...fields }, new Warnings());

  it('is a job of /v1', async () => {
    const { request, extras, schemeless } = await parse({
      ...{ urls: [URL, 'b.example/'], maxConcurrency: 4, ignoreInvalidURLs: true, maxAge: 5 },
    });
    expect(request).toMatchObject({
      ...{ urls: [URL, 'http://b.example/'], async: true, extractListing: false },
      onlyMainContent: true,
    });
    expect([extras, schemeless]).toEqual([{ workers: 4, skipsInvalid: true }, [1]]);
  });

  it.each<[object, string]>([
    [{ urls: Array.from({ length: 101 }, () => URL) }, 'too_many_urls'],
    [{ appendToId: 'x' }, 'unsupported_option'],
    [{ zeroDataRetention: true }, 'unsupported_option'],
    [{ redactPII: true }, 'unsupported_option'],
    [{ formats: ['links'] }, 'unsupported_format'],
    [{ actions: [{ type: 'scroll' }] }, 'unsupported_action'],
    [{ maxConcurrency: 0 }, 'invalid_request'],
    [{ maxAge: true }, 'invalid_request'],
    [{ ignoreInvalidURLs: 'yes' }, 'invalid_request'],
  ])('refuses %j: %s', async (fields, code) => {
    expect(await codeOf(parse(fields))).toBe(code);
  });
});
