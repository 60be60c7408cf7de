import { endMarker, pagePath } from './fixture-pages.js';
import { renderSmallPage } from './small-pages.js';

const PAGES = 150;
const pages = Array.from({ length: PAGES }, (_, index) => renderSmallPage(index, PAGES));

describe('the site of small pages', () => {
  it('returns the same bytes for the same page, and others for another', () => {
    expect(renderSmallPage(7, PAGES)).toBe(pages[7]);
    expect(new Set(pages).size).toBe(PAGES);
  });

  it('has pages of 1.5 to 4 kB that end with their marker', () => {
    for (const [index, page] of pages.entries()) {
      expect(page.length).toBeGreaterThan(1_500);
      expect(page.length).toBeLessThan(4_000);
      expect(page.match(/MARKER-\d+-END/g)).toEqual([endMarker(index)]);
    }
  });

  it('links to every page once, and to nothing else', () => {
    const linked = pages.flatMap((page) => [...page.matchAll(/href="([^"]*)"/g)]);
    const paths = linked.map(([, href]) => href);
    expect(paths).toEqual(Array.from({ length: PAGES - 1 }, (_, index) => pagePath(index + 1)));
  });
});
