import { Deadline, DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import type { FetchedPage } from '@app/fetch';
import { assessPage, type Converters } from './assess-page.js';
import { ThreadTimeoutError } from '../threads/thread-pool.js';

const page = (over: Partial<FetchedPage>): FetchedPage => ({
  url: 'http://a.example/',
  statusCode: 200,
  contentType: 'text/html',
  headers: {},
  body: new TextEncoder().encode('<p>text</p>'),
  bytes: 11,
  isCut: false,
  redirects: [],
  timings: { dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, downloadMs: 0 },
  isRendered: false,
  ...over,
});

const REQUEST = { outputs: { markdown: true }, content: DEFAULT_CONTENT_OPTIONS, crawl: null };

/** The deadline that the conversion of a page gets. */
async function deadlineFor(over: Partial<FetchedPage>): Promise<'share' | 'whole' | 'neither'> {
  const share = Deadline.after(1_000);
  const whole = Deadline.after(60_000);
  const given: Deadline[] = [];
  const run = (_task: unknown, deadline: Deadline) => {
    given.push(deadline);
    return Promise.reject(new ThreadTimeoutError('deadline'));
  };
  const converters = { content: { run } } as unknown as Converters;
  const assessment = await assessPage(converters, page(over), REQUEST, { share, whole });
  expect(assessment).toMatchObject({ content: null, shortcoming: 'timeout' });
  if (given[0] === share) return 'share';
  return given[0] === whole ? 'whole' : 'neither';
}

describe('the time a conversion has', () => {
  it.each<['share' | 'whole', string, Partial<FetchedPage>]>([
    ['share', 'a page another rung may better', {}],
    ['share', 'a page cut at the most bytes', { isCut: true }],
    ['whole', 'what came of a body until its time ran out', { isCut: true, isUnsettled: true }],
    ['share', 'a page rendered in part: plain may follow', { isUnsettled: true, isRendered: true }],
  ])('is the %s for %s', async (expected, _what, over) => {
    expect(await deadlineFor(over)).toBe(expected);
  });
});

describe('a page in Markdown', () => {
  const assess = (over: Partial<FetchedPage>, visibleChars = 60) => {
    const counts = { visibleChars, contentChars: visibleChars, holes: 0, mayBringMore: false };
    const judged = visibleChars === 0 ? { kind: 'empty' } : { kind: 'blocked', signals: ['a'] };
    const verdict = { signals: [], ...judged, ...counts };
    const run = () => Promise.resolve({ content: { kind: 'text' }, found: [], verdict });
    const converters = { content: { run } } as unknown as Converters;
    const deadlines = { share: Deadline.after(1_000), whole: Deadline.after(1_000) };
    return assessPage(converters, page(over), REQUEST, deadlines);
  };
  const contentType = 'text/markdown; charset=utf-8';

  it('is content, whatever it says of scripts and robots', async () => {
    expect(await assess({ contentType })).toMatchObject({ shortcoming: null, signals: [] });
    expect(await assess({ contentType: 'text/x-markdown' })).toMatchObject({ shortcoming: null });
    expect((await assess({ contentType: 'text/plain' })).signals).not.toEqual([]);
  });

  it('is none with an error status, or without words', async () => {
    expect((await assess({ contentType, statusCode: 404 })).shortcoming).not.toBeNull();
    expect(await assess({ contentType }, 0)).toMatchObject({ shortcoming: 'empty' });
  });
});

describe('a document file in place of a page', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  /** What the reader of files is given; undefined: it is read as a page. */
  const readAs = async (over: Partial<FetchedPage>) => {
    let given: unknown;
    const read = (_body: Uint8Array, { hint }: { readonly hint: unknown }) => {
      given = hint;
      return Promise.resolve({ ok: true, file: { markdown: 'a' }, found: [] });
    };
    const run = () => Promise.reject(new ThreadTimeoutError('deadline'));
    const converters = { content: { run }, files: { read } } as unknown as Converters;
    const deadlines = { share: Deadline.after(1_000), whole: Deadline.after(1_000) };
    await assessPage(converters, page(over), REQUEST, deadlines);
    return given;
  };

  it.each<[string, Partial<FetchedPage>]>([
    ['a table by its type', { contentType: 'text/csv', body: bytes('a,b') }],
    [
      'a table by its name',
      { contentType: 'text/plain', url: 'http://a.example/d/x.csv?v=1', body: bytes('a,b') },
    ],
    ['an RTF by its bytes', { contentType: 'text/html', body: bytes('{\\rtf1 a}') }],
    ['a cut archive', { contentType: 'text/html', body: bytes('PK\x03\x04'), isCut: true }],
  ])('is %s', async (_, over) => {
    const { contentType, url } = page(over);
    expect(await readAs(over)).toEqual({ contentType, name: new URL(url).pathname });
  });

  it.each<[string, Partial<FetchedPage>]>([
    ['text', { contentType: 'text/plain', body: bytes('a,b') }],
    ['Markdown', { contentType: 'text/markdown', url: 'http://a.example/a.md' }],
    ['a page that a browser made of a table', { contentType: 'text/csv', isRendered: true }],
    ['a page of the name of a table', { url: 'http://a.example/a.csv' }],
    ['an error', { contentType: 'text/csv', body: bytes('a,b'), statusCode: 404 }],
  ])('is not %s', async (_, over) => {
    expect(await readAs(over)).toBeUndefined();
  });
});

describe('a page that cannot be converted', () => {
  it.each(['work', 'memory'] as const)(
    'is reported by its %s, and no other rung is tried',
    async (problem) => {
      const run = () => Promise.reject(new ThreadTimeoutError(problem));
      const converters = { content: { run } } as unknown as Converters;
      const deadlines = { share: Deadline.after(1_000), whole: Deadline.after(1_000) };
      const assessment = await assessPage(converters, page({}), REQUEST, deadlines);
      expect(assessment).toMatchObject({
        content: null,
        shortcoming: 'parse_error',
        isFinal: true,
      });
      expect(assessment.problem).toMatch(
        /^Fetch failed: the page was fetched, but its conversion /,
      );
    },
  );
});
