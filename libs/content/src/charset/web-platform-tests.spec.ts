import { readFileSync } from 'node:fs';
import { encodingOfLabel } from './encoding-label.js';
import { decodeBody, sniffCharset } from './sniff-charset.js';

/** Data and where it comes from: fixtures/wpt/SOURCE.md. */
function fixture<T>(name: string): T {
  const path = new URL(`fixtures/wpt/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

const spansOf = (html: string): readonly string[] =>
  [...html.matchAll(/<span>([^]*?)<\/span>/g)].map(([, text = '']) => text);

interface Page {
  readonly name: string;
  readonly contentType: string;
  readonly encoding?: string;
  readonly shows?: string;
  readonly body: readonly (string | readonly [character: string, length: number])[];
}

const PAGES = fixture<readonly Page[]>('pages');

/** The encoding a page is read in and the text that the test looks for, if any. */
function readingOf({ contentType, encoding, shows, body }: Page): Partial<Page> {
  const parts = body.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1])));
  const bytes = bytesOf(parts.join(''));
  const read = sniffCharset(bytes, contentType);
  const text = decodeBody(bytes, read);
  return {
    ...(encoding === undefined ? {} : { encoding: read }),
    ...(shows === undefined ? {} : { shows: text.includes(shows) ? shows : text }),
  };
}

const IN_SCRIPT =
  'the prescan of HTML 13.2.3.2 knows no scripts and styles, and html5lib has it so; ' +
  'the folder of these two says that it goes its own way';
const HEADER_IS_WRONG =
  'HTML 13.2.3.2 heeds the header, which says UTF-8; the bytes are not, and the page names what they are';
const REPLACEMENT =
  'Encoding 14.1 makes one U+FFFD of such a page to spare scripts; a reader of text is better off with it';
const DETECTED = 'HTML 13.2.3.2 lets a reader detect UTF-8 by its bytes; the test wants none to';
const REQUEST =
  'XMLHttpRequest takes UTF-8 where nothing is declared, a page that is not UTF-8 is windows-1252';

/** Where we differ, and what a page is read in then. */
const DIFFERENCES: Readonly<Record<string, readonly [reason: string, encoding: string]>> = {
  'html/syntax/charset/in-script.html': [IN_SCRIPT, 'windows-1251'],
  'html/syntax/charset/in-style.html': [IN_SCRIPT, 'windows-1251'],
  'html/syntax/xmldecl/support/xml-vs-http.html': [HEADER_IS_WRONG, 'windows-1251'],
  'html/syntax/xmldecl/support/xml-vs-http-trail.html': [HEADER_IS_WRONG, 'windows-1251'],
  'html/syntax/xmldecl/support/replacement.htm': [REPLACEMENT, 'windows-1252'],
  'html/syntax/xmldecl/support/replacement-trail.htm': [REPLACEMENT, 'windows-1252'],
  'encoding/sniffing.html': [DETECTED, 'utf-8'],
  'encoding/unsupported-encodings.any.js: UTF-32be with BOM should decode as UTF-8': [
    REQUEST,
    'windows-1252',
  ],
  'encoding/unsupported-encodings.any.js: utf-32be with BOM should decode as UTF-8': [
    REQUEST,
    'windows-1252',
  ],
};

const agreed = PAGES.filter(({ name }) => DIFFERENCES[name] === undefined);

describe(`pages of web-platform-tests, ${agreed.length} of ${PAGES.length}`, () => {
  it('are 154 of 163, each under its own name', () => {
    expect([agreed.length, new Set(PAGES.map(({ name }) => name)).size]).toEqual([154, 163]);
  });

  it.each(agreed.map((page) => [page.name, page] as const))(
    '%s is read as it expects',
    (_, page) => {
      const { encoding, shows } = page;
      expect(readingOf(page)).toEqual({
        ...(encoding === undefined ? {} : { encoding }),
        ...(shows === undefined ? {} : { shows }),
      });
    },
  );

  const differing = Object.entries(DIFFERENCES).map(([name, [reason, encoding]]) => {
    return [name, encoding, reason] as const;
  });

  it.each(differing)('%s is read in %s: %s', (name, encoding) => {
    const page = PAGES.find((one) => one.name === name);
    expect(page?.encoding).not.toBe(encoding);
    expect(page && readingOf({ ...page, encoding: '' }).encoding).toBe(encoding);
  });
});

interface CharacterPages {
  readonly encoding: string;
  readonly pages: readonly { name: string; contentType: string; head: string }[];
  readonly bytes: string;
  readonly text: string;
}

describe.each(
  fixture<readonly CharacterPages[]>('characters').map((one) => {
    const characters = one.text.split('\n');
    return [one.encoding, characters.length, one, characters] as const;
  }),
)('characters of web-platform-tests: %s, all %i', (encoding, _, { pages, bytes }, characters) => {
  const lines = Buffer.from(bytes, 'base64').toString('latin1').split('\n');
  const body = lines.map((line) => `<span>${line}</span>`).join(' ');

  it.each(pages.map((page) => [page.name, page] as const))('%s', (__, page) => {
    const html = bytesOf(page.head + body);
    expect(sniffCharset(html, page.contentType)).toBe(encoding);
    expect(sniffCharset(html, 'text/html')).toBe(encoding);
    const shown = spansOf(decodeBody(html, encoding));
    expect(shown).toHaveLength(characters.length);
    expect(shown.filter((text, at) => text !== characters[at])).toEqual([]);
  });
});

interface ErrorPage {
  readonly name: string;
  readonly contentType: string;
  readonly encoding: string;
  readonly body: string;
  readonly shows: readonly (readonly [name: string, text: string])[];
}

describe.each(
  fixture<readonly ErrorPage[]>('errors').map(
    (page) => [page.name, page.shows.length, page] as const,
  ),
)('errors of web-platform-tests: %s, all %i', (_, count, page) => {
  const html = bytesOf(page.body);
  const shown = spansOf(decodeBody(html, sniffCharset(html, page.contentType)));

  it('is read in its encoding', () => {
    expect(sniffCharset(html, page.contentType)).toBe(page.encoding);
    expect(shown).toHaveLength(count);
  });

  it.each(page.shows.map(([name, text], at) => [name, at, text] as const))('%s', (__, at, text) => {
    expect(shown[at]).toBe(text);
  });
});

interface Sequences {
  readonly sequences: readonly {
    readonly name: string;
    readonly encoding: string;
    readonly cases: readonly (readonly [name: string, hex: string, text: string])[];
  }[];
  readonly singleBytes: Readonly<Record<string, string>>;
}

const { sequences, singleBytes } = fixture<Sequences>('sequences');
const UPPER_HALF = Uint8Array.from({ length: 128 }, (_, at) => 0x80 + at);

describe('byte sequences of web-platform-tests', () => {
  it.each(
    sequences.map(({ name, encoding, cases }) => [name, encoding, cases.length, cases] as const),
  )('%s: %s, all %i', (_, encoding, __, cases) => {
    expect(cases.length).toBeGreaterThan(0);
    const shown = cases.map(([name, hex]) => [
      name,
      hex,
      decodeBody(Buffer.from(hex, 'hex'), encoding),
    ]);
    expect(shown).toEqual(cases);
  });

  it.each(Object.entries(singleBytes))(
    'single-byte-decoder.window.js: %s, all 128 bytes past ASCII',
    (encoding, text) => {
      expect(decodeBody(UPPER_HALF, encoding)).toBe(text);
    },
  );
});

interface Labels {
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly unsupported: readonly string[];
}

const { labels, unsupported } = fixture<Labels>('labels');

describe('labels of web-platform-tests', () => {
  const known = Object.entries(labels).flatMap(([encoding, all]) =>
    all.map((label) => [label, encoding] as const),
  );

  it('have the expected encoding, 222 of 228', () => {
    const same = known.filter(([label, encoding]) => encodingOfLabel(label) === encoding);
    expect([same.length, known.length]).toEqual([222, 228]);
  });

  it(`do not for the six of "replacement": ${REPLACEMENT}`, () => {
    const other = known.filter(([label, encoding]) => encodingOfLabel(label) !== encoding);
    expect(other.map(([, encoding]) => encoding)).toEqual(Array(6).fill('replacement'));
    expect(other.map(([label]) => encodingOfLabel(label))).toEqual(Array(6).fill(undefined));
  });

  it('are unknown where the tests expect it, 158 of 158', () => {
    expect(unsupported).toHaveLength(158);
    expect(unsupported.filter((label) => encodingOfLabel(label) !== undefined)).toEqual([]);
  });
});
