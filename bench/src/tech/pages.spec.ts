import { hostilePages } from './hostile-pages.js';
import { markedPages } from './marked-pages.js';
import { MARKERS } from './markers.js';
import { scanInputOf } from './tech-page.js';

describe('the marked pages', () => {
  const pages = markedPages();

  it('are 50 of 60 KB that show every marker, two or three each', () => {
    expect(pages).toHaveLength(50);
    const shown = new Set(pages.flatMap(({ expect: names }) => names));
    expect([...shown].sort()).toEqual(MARKERS.map(({ name }) => name).sort());
    for (const { html, expect: names } of pages) {
      expect(html.length).toBeGreaterThan(60_000);
      expect(names.length).toBeGreaterThanOrEqual(1);
    }
  });

  it('are the same every time', () => {
    expect(markedPages()).toEqual(pages);
  });

  it('give their cookies apart from the headers', () => {
    const page = pages.find(({ expect: names }) => names.includes('Laravel'));
    const { headers, cookies } = scanInputOf(page as (typeof pages)[number]);
    expect(cookies).toHaveProperty('laravel_session', 'eyJpdiI6');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers['content-type']).toEqual(['text/html; charset=utf-8']);
  });
});

describe('the hostile pages', () => {
  it('are 16 of five million characters, each of its own shape', () => {
    const shapes = [...hostilePages()].map(({ shape, html }) => {
      expect(html.length).toBeGreaterThan(5_000_000);
      return shape;
    });
    expect(new Set(shapes).size).toBe(16);
  });
});
