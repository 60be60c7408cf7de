import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { extractPage, type PageContent } from './extract-page.js';
import { HOSTILE_HTML } from './fixtures/hostile-html.js';

const ALL = { markdown: true, links: true, rawHtml: true, cleanHtml: true } as const;
const URL = 'https://example.com/docs/page';

const extract = (
  html: string | Uint8Array,
  contentType: string | null = 'text/html',
): PageContent => extractPage({ body: Buffer.from(html), contentType, url: URL }, ALL);

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
