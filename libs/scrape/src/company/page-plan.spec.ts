import type { CompanyPage } from '@app/company';
import { planPages, samePageKey } from './page-plan.js';

const HOME = 'https://www.a.example/';

const home = (links: readonly string[] = [], url = HOME): CompanyPage => ({
  url,
  emails: [],
  phones: [],
  profiles: [],
  team: [],
  homepage: {},
  place: {},
  links: links.map((path) => ({ url: new URL(path, HOME).href, text: 'About us' })),
});

const paths = (urls: readonly string[]): readonly string[] =>
  urls.map((url) => new URL(url).pathname);

describe('the pages to read beside the homepage', () => {
  const FIXED = ['/about', '/about-us', '/team', '/our-team', '/contact', '/contact-us'];

  it.each([
    [1, 0],
    [2, 1],
    [7, 6],
    [20, 6],
  ])('are the usual ones: of %d in all, %d', (maxPages, count) => {
    expect(paths(planPages(home(), { pages: 'fixed', maxPages }))).toEqual(FIXED.slice(0, count));
  });

  it('are where the homepage has moved to', () => {
    const moved = home([], 'https://b.example/en/');
    expect(planPages(moved, { pages: 'fixed', maxPages: 2 })).toEqual(['https://b.example/about']);
  });

  it('leave out the homepage itself', () => {
    const atAbout = home([], 'https://www.a.example/about/');
    expect(paths(planPages(atAbout, { pages: 'fixed', maxPages: 3 }))).toEqual(FIXED.slice(1, 3));
  });

  it.each([
    [1, 0],
    [10, 9],
    [20, 19],
  ])('are those it leads to: of %d in all, %d', (maxPages, count) => {
    const links = Array.from({ length: 40 }, (_, n) => `/about/part-${n}`);
    expect(planPages(home(links), { pages: 'chosen', maxPages }).length).toBe(count);
  });
});

describe('addresses of one page', () => {
  it.each([
    ['https://a.example/about', 'https://a.example/about/', true],
    ['https://a.example/about', 'https://a.example/about?utm_source=x#team', true],
    ['https://a.example', 'https://a.example/', true],
    ['https://a.example/about', 'https://a.example/About', false],
    ['https://a.example/?page=about', 'https://a.example/', false],
    ['https://a.example/about', 'https://b.example/about', false],
  ])('%s and %s: %s', (one, other, isSame) => {
    expect(samePageKey(one) === samePageKey(other)).toBe(isSame);
  });
});
