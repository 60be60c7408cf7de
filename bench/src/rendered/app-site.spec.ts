import { endMarker, pagePath } from '../fixture-pages.js';
import { appFiles, appShells, LISTING_PATH } from './app-site.js';

const PAGES = 20;
const shells = appShells(PAGES);
const files = appFiles(PAGES);

function textOf(path: string): string {
  return files.get(path)?.body.toString() ?? '';
}

describe('the site that a script renders', () => {
  it('has a shell per page that holds nothing of its article', () => {
    expect([...shells.keys()]).toEqual(
      Array.from({ length: PAGES }, (_, index) => pagePath(index)),
    );
    for (const shell of shells.values()) {
      expect(shell.length).toBeGreaterThan(2_500);
      expect(shell.length).toBeLessThan(5_000);
      expect(shell.toString()).not.toMatch(/MARKER-|<p>/);
    }
  });

  it('has the article with its end in the data, and at most six pictures', () => {
    for (let index = 0; index < PAGES; index++) {
      const data = textOf(`/api/page/${index}`);
      expect(data).toContain(endMarker(index));
      expect(data.match(/<img /g)?.length ?? 0).toBeLessThanOrEqual(6);
    }
  });

  it.each([
    ['/assets/app.js', 160_000, 190_000],
    ['/assets/app.css', 38_000, 46_000],
    ['/assets/site.woff2', 48_000, 48_000],
    ['/assets/1.png', 43_000, 44_000],
  ])('serves %s of %d to %d bytes', (path, least, most) => {
    const bytes = files.get(path)?.body.length ?? 0;
    expect(bytes).toBeGreaterThanOrEqual(least);
    expect(bytes).toBeLessThanOrEqual(most);
  });

  it('serves whatever its pages and scripts name', () => {
    const sources = [...shells.values()].map(String).join('') + textOf('/assets/app.css');
    const data = Array.from({ length: PAGES }, (_, index) => textOf(`/api/page/${index}`)).join('');
    const named = `${sources}${data}`.matchAll(/\/assets\/[\w.]+/g);
    for (const [path] of named) expect(files.has(path)).toBe(true);
  });

  it('lists every page', () => {
    for (const path of shells.keys()) expect(textOf(LISTING_PATH)).toContain(`href="${path}"`);
  });
});
