import {
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type ContentOptions,
  type FetchOptions,
  type ScrapeTask,
} from '@app/contracts';
import { variantKey } from './page-cache-variant.js';

interface Over extends Partial<Omit<ScrapeTask, 'fetch' | 'content'>> {
  readonly fetch?: Partial<FetchOptions>;
  readonly content?: Partial<ContentOptions>;
}

const taskOf = ({ fetch, content, ...over }: Over = {}): ScrapeTask => ({
  requestId: 'r',
  tenantId: 't',
  plan: 'pro',
  url: 'https://a.example/page?b=1',
  formats: ['markdown'],
  includeHtml: false,
  ignoreRobotsTxt: false,
  listing: true,
  llm: null,
  allowVision: true,
  chunks: false,
  maxAgeMs: 1_000,
  minAgeMs: null,
  upload: false,
  deadlineAtMs: 5,
  ...over,
  fetch: { ...DEFAULT_FETCH_OPTIONS, ...fetch },
  content: { ...DEFAULT_CONTENT_OPTIONS, ...content },
});

describe('variantKey', () => {
  const key = variantKey(taskOf());

  it('is a SHA-256 in hexadecimal', () => {
    expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, Over]>([
    ['the request', { requestId: 'other', tenantId: 'other', plan: 'free' }],
    ['the deadline and the ages', { deadlineAtMs: 9, maxAgeMs: 7, minAgeMs: 3 }],
    ['the fragment', { url: 'https://a.example/page?b=1#part' }],
    ['the spelling of the address', { url: 'HTTPS://A.example:443/x/../page?b=1' }],
    ['a format named twice', { formats: ['markdown', 'markdown'] }],
    ['the cost ceiling', { fetch: { costCeilingMicroUsd: 5 } }],
    ['defaults that are named', { cleanHtml: false, shot: null }],
    ['an empty cookie text', { fetch: { cookies: '' } }],
    ['the parts that are wanted', { passages: { query: 'a', max: 5 }, maxTokens: 100 }],
  ])('does not depend on %s', (_, over) => {
    expect(variantKey(taskOf(over))).toBe(key);
  });

  it.each<[string, Over, Over]>([
    ['formats', { formats: ['links', 'markdown'] }, { formats: ['markdown', 'links'] }],
    [
      'headers and the case of their names',
      { fetch: { headers: { accept: 'a', 'user-agent': 'b' } } },
      { fetch: { headers: { 'User-Agent': 'b', Accept: 'a' } } },
    ],
  ])('does not depend on the order of %s', (_, one, other) => {
    expect(variantKey(taskOf(one))).toBe(variantKey(taskOf(other)));
    expect(variantKey(taskOf(one))).not.toBe(key);
  });

  it('does not depend on the order of fields', () => {
    const { url, fetch, ...rest } = taskOf();
    const reversed = Object.fromEntries(Object.entries(fetch).reverse()) as unknown as FetchOptions;
    expect(variantKey({ fetch: reversed, ...rest, url })).toBe(key);
  });

  it('differs with a field that it does not know', () => {
    expect(variantKey({ ...taskOf(), novelty: 1 } as ScrapeTask)).not.toBe(key);
  });

  it('differs with everything that shapes the document', () => {
    const variants: Over[] = [
      {},
      { url: 'https://a.example/page?b=2' },
      { url: 'http://a.example/page?b=1' },
      { url: 'https://a.example/Page?b=1' },
      { url: 'https://a.example/page?b=1&' },
      { formats: ['links'] },
      { formats: ['markdown', 'screenshot'] },
      { includeHtml: true },
      { cleanHtml: true },
      { shot: { fullPage: false, format: 'png' } },
      { shot: { fullPage: true, format: 'png' } },
      { shot: { fullPage: false, format: 'jpeg' } },
      { shot: { fullPage: false, format: 'jpeg', quality: 5 } },
      {
        shot: {
          ...{ fullPage: false, format: 'png' },
          viewport: { widthPx: 100, heightPx: 200 },
        },
      },
      {
        shot: {
          ...{ fullPage: false, format: 'png' },
          viewport: { widthPx: 200, heightPx: 100 },
        },
      },
      { upload: true },
      { ignoreRobotsTxt: true },
      { fetch: { country: 'DE' } },
      { fetch: { country: 'FR' } },
      { fetch: { forceHeadless: true } },
      { fetch: { waitForMs: 10 } },
      { fetch: { scroll: true } },
      { fetch: { preferMarkdown: true } },
      { fetch: { blockAds: false } },
      { fetch: { headers: { 'accept-language': 'de' } } },
      { fetch: { headers: { accept: 'de' } } },
      { fetch: { headers: { 'user-agent': 'de' } } },
      { content: { onlyMainContent: true } },
      { content: { includeTags: ['p'] } },
      { content: { excludeTags: ['p'] } },
      { content: { includeTags: ['p', 'q'] } },
      { content: { includeTags: ['p,q'] } },
      { content: { removeBase64Images: true } },
      { listing: false },
      { chunks: true },
      { llm: { modelClass: 'low', json: null, summary: true } },
      { llm: { modelClass: 'low', json: { schema: null }, summary: false } },
      { llm: { modelClass: 'low', json: { schema: { a: 'string' } }, summary: false } },
    ];
    const keys = variants.map((over) => variantKey(taskOf(over)));
    expect(keys).not.toContain(null);
    expect(new Set(keys).size).toBe(variants.length);
  });

  it.each<[string, Over]>([
    ['cookies', { fetch: { cookies: 'a=1' } }],
    ['a profile', { fetch: { profile: 'shop' } }],
    ['an Authorization header', { fetch: { headers: { authorization: 'Basic x' } } }],
    ['a Cookie header', { fetch: { headers: { Cookie: 'a=1' } } }],
    ['a header of its own', { fetch: { headers: { 'x-api-key': 'k', accept: 'a' } } }],
    ['a referer, that may be answered as a secret', { fetch: { headers: { referer: 'x' } } }],
    ['credentials in the address', { url: 'https://user:pass@a.example/' }],
    ['a user name in the address', { url: 'https://user@a.example/' }],
    ['actions', { fetch: { actions: [{ type: 'wait', ms: 1 }] } }],
  ])('is null with %s', (_, over) => {
    expect(variantKey(taskOf(over))).toBeNull();
  });
});
