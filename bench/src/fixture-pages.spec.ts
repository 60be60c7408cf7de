import { BOILERPLATE, endMarker, pagePath, fixturePage } from './fixture-pages.js';

const PAGES = 120;
const pages = Array.from({ length: PAGES }, (_, index) => fixturePage(index, PAGES));

describe('the bench site', () => {
  it('returns the same bytes for the same page', () => {
    expect(fixturePage(7, PAGES)).toBe(pages[7]);
  });

  it('has pages of 30 to 123 kB, about 75 on average', () => {
    const sizes = pages.map((page) => Buffer.byteLength(page));
    expect(Math.min(...sizes)).toBeGreaterThan(30_000);
    expect(Math.max(...sizes)).toBeLessThan(123_000);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / PAGES;
    expect(mean).toBeGreaterThan(68_000);
    expect(mean).toBeLessThan(82_000);
  });

  it('marks the end of each article once, and its furniture', () => {
    for (const [index, page] of pages.entries()) {
      expect(page.match(/MARKER-\d+-END/g)).toEqual([endMarker(index)]);
      expect(page.split(BOILERPLATE)).toHaveLength(3);
    }
  });

  it('reaches every page by links from the first, and links nowhere else on the site', () => {
    const known = new Map(pages.map((_, index) => [pagePath(index), index]));
    const seen = new Set(['/']);
    const queue = ['/'];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const html = pages[known.get(next) ?? -1] ?? '';
      for (const [, href = ''] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) {
        if (seen.has(href) || href.startsWith('/private/')) continue;
        expect(known.has(href)).toBe(true);
        seen.add(href);
        queue.push(href);
      }
    }
    expect(seen.size).toBe(PAGES);
  });
});
