import { BlockedUrlError, type RefusalKind } from '@app/egress';
import { navigate } from './render-page.js';
import { navigationRefusal, responseRefusal } from './refused-navigation.js';
import type { RefusalRecord } from './page-source.js';
import { RenderError } from './render-error.js';
import type { Rendering } from './rendering.js';

const refused = (target: string, kind: RefusalKind = 'blocked'): RefusalRecord => ({
  refusalOf: (asked) => (asked === target ? kind : null),
});
const nothing: RefusalRecord = { refusalOf: () => null };

describe('navigationRefusal', () => {
  it.each([
    ['http://a.example/x', 'http://a.example/x'],
    ['http://a.example/x', 'http://a.example/x#part'],
    ['a.example:443', 'https://a.example/x'],
    ['a.example:80', 'http://a.example/x'],
    ['[::1]:8443', 'https://[::1]:8443/'],
  ])('knows %s as the refusal of %s', (target, url) => {
    expect(navigationRefusal(refused(target), url)).toBeInstanceOf(BlockedUrlError);
  });

  it.each([
    ['http://a.example/y', 'http://a.example/x'],
    ['b.example:443', 'https://a.example/x'],
    ['a.example:444', 'https://a.example/x'],
    ['a.example:443', 'chrome-error://chromewebdata/'],
    ['a.example:443', ''],
  ])('does not take %s for one of %s', (target, url) => {
    expect(navigationRefusal(refused(target), url)).toBeNull();
  });

  it.each([
    ['network', 'network'],
    ['timeout', 'timeout'],
    ['budget', 'unknown'],
  ] as const)('%s is a failure of class %s', (kind, errorClass) => {
    const error = navigationRefusal(refused('http://a.example/', kind), 'http://a.example/');
    expect(error).toBeInstanceOf(RenderError);
    expect(error).toMatchObject({ errorClass });
  });
});

describe('navigate', () => {
  const rendering = (documents: number) =>
    ({
      cdp: { send: () => Promise.resolve({ frameId: 'main' }) },
      request: { url: new URL('https://a.example/') },
      lifeline: { hold: (work: Promise<unknown>) => work, deadline: { remainingMs: () => 0 } },
      gate: { raw: null, responseOf: () => null },
      frame: {
        documents: 0,
        documentAfter: (before: number) => Promise.resolve(documents > before),
      },
    }) as unknown as Rendering;

  it('ends with the document', async () => {
    await expect(navigate(rendering(1), nothing)).resolves.toBeUndefined();
  });

  it('is a timeout when no document comes in time, no empty page', async () => {
    await expect(navigate(rendering(0), nothing)).rejects.toMatchObject({ errorClass: 'timeout' });
  });
});

describe('responseRefusal', () => {
  const response = (
    url: string,
    headers: Record<string, string> = { 'x-trawl-refused': 'blocked' },
  ) => ({
    url,
    statusCode: 403,
    headers,
    atMs: 0,
  });

  it('needs the mark and the record together', () => {
    const url = 'http://a.example/';
    expect(responseRefusal(refused(url), response(url))).toBeInstanceOf(BlockedUrlError);
    expect(responseRefusal(nothing, response(url))).toBeNull();
    expect(responseRefusal(refused(url), response(url, {}))).toBeNull();
    expect(responseRefusal(refused(url), null)).toBeNull();
  });

  it('cannot result from a response inside a tunnel', () => {
    const forged = response('https://a.example/');
    expect(responseRefusal(refused('a.example:443'), forged)).toBeNull();
  });
});
