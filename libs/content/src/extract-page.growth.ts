import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { extractPage, type PageContent } from './extract-page.js';
import { HOSTILE_HTML } from './fixtures/hostile-html.js';

const ALL = { markdown: true, links: true, rawHtml: true, html: true } as const;
const URL = 'https://example.com/docs/page';

const extract = (
  html: string | Uint8Array,
  contentType: string | null = 'text/html',
): PageContent => extractPage({ body: Buffer.from(html), contentType, url: URL }, ALL);

const HOSTILE_MARKDOWN: Readonly<Record<string, (n: number) => string>> = {
  'opening brackets': (n) => '['.repeat(n),
  brackets: (n) => '[]'.repeat(n),
  'links without end': (n) => '[a]('.repeat(n),
  'parentheses in links': (n) => '](('.repeat(n),
  'one link without end': (n) => `[a](${'b'.repeat(n)}`,
  'back quotes of many lengths': (n) =>
    Array.from({ length: Math.sqrt(n) }, (_, at) => '`'.repeat(at)).join(' '),
  'back quotes': (n) => '` `` '.repeat(n),
  fences: (n) => '```\n'.repeat(n),
  definitions: (n) => '[a]: '.repeat(n),
  addresses: (n) => 'http://'.repeat(n),
  'one address': (n) => `http://a/${'.'.repeat(n)}`,
  'angle brackets': (n) => '<http://a'.repeat(n),
  escapes: (n) => '\\'.repeat(n),
  'a title without end': (n) => `# ${'# '.repeat(n)}x`,
  'front matter without end': (n) => `---\ntitle: "${'" '.repeat(n)}`,
  'inlined images': (n) => '![a](data:image/png;base64,AA'.repeat(n),
};

describe('hostile Markdown', () => {
  it.each(Object.entries(HOSTILE_MARKDOWN))(
    '%s: answers in time linear in their size',
    async (_, textOf) => {
      const cost = cpuCost(textOf, (text) => extract(text, 'text/markdown'));
      expect(await growthOf(cost, { from: 10_000 })).toBeLessThan(LINEAR_GROWTH);
    },
  );
});

describe('hostile pages', () => {
  it.each(Object.entries(HOSTILE_HTML))(
    '%s: answers in time linear in their size',
    async (_, htmlOf) => {
      const growth = await growthOf(
        cpuCost(htmlOf, (html) => extract(html)),
        { from: 10_000 },
      );
      expect(growth).toBeLessThan(LINEAR_GROWTH);
    },
  );
});
