import type { FoundPage } from '../search-task.js';
import { MergedResults, type ResultTerms } from './merged-results.js';

const TERMS: ResultTerms = {
  limit: 10,
  includeDomains: [],
  excludeDomains: [],
  isAllowed: () => true,
};
const found = (...urls: string[]): FoundPage[] =>
  urls.map((url) => ({ url, title: `title of ${url}`, snippet: 's' }));
const urlsOf = (pages: readonly string[], terms: Partial<ResultTerms> = {}): string[] => {
  const merged = new MergedResults({ ...TERMS, ...terms });
  merged.add(found(...pages));
  return merged.results.map(({ url }) => url);
};

describe('merged results', () => {
  it.each<[string, string]>([
    ['https://a.example/p?utm_source=x&id=1', 'https://a.example/p?id=1'],
    ['https://a.example/p?gclid=x', 'https://a.example/p'],
    ['https://a.example/p?id=2&srsltid=abc', 'https://a.example/p?id=2'],
    ['https://a.example/p#:~:text=some%20words', 'https://a.example/p'],
    ['https://a.example/p#part', 'https://a.example/p#part'],
    ['https://user:pw@a.example/p', 'https://a.example/p'],
    ['https://a.example/p?b=2&a=1', 'https://a.example/p?b=2&a=1'],
  ])('show %s as %s', (url, expected) => {
    expect(urlsOf([url])).toEqual([expected]);
  });

  it.each<[string, string]>([
    ['tracking parameters', 'https://a.example/p?utm_medium=y'],
    ['the scheme', 'http://a.example/p'],
    ['a leading www.', 'https://www.a.example/p'],
    ['a fragment', 'https://a.example/p#there'],
    ['a trailing slash', 'https://a.example/p/'],
    ['a default port', 'https://a.example:443/p'],
  ])('have a page once that differs by %s', (_what, url) => {
    expect(urlsOf(['https://a.example/p', url])).toEqual(['https://a.example/p']);
  });

  it('keep pages apart that a parameter distinguishes, in the order of the backend', () => {
    const urls = ['https://a.example/p?id=2', 'https://a.example/p?id=1', 'https://b.example/'];
    expect(urlsOf(urls)).toEqual(urls);
  });

  it('end at the limit, over several pages', () => {
    const merged = new MergedResults({ ...TERMS, limit: 3 });
    expect(merged.add(found('https://a.example/1', 'https://a.example/2'))).toBe(2);
    expect(merged.add(found('https://a.example/2'))).toBe(0);
    expect(merged.add(found('https://a.example/3', 'https://a.example/4'))).toBe(1);
    expect([merged.isFull, merged.results.length]).toEqual([true, 3]);
  });

  it('leave out what the request excludes, and addresses that may not be fetched', () => {
    const urls = ['https://docs.a.example/', 'https://b.example/', 'http://10.0.0.1/'];
    expect(urlsOf(urls, { excludeDomains: ['a.example'] })).toEqual(urls.slice(1));
    expect(urlsOf(urls, { includeDomains: ['a.example'] })).toEqual(urls.slice(0, 1));
    expect(urlsOf(urls, { isAllowed: ({ hostname }) => hostname !== '10.0.0.1' })).toEqual(
      urls.slice(0, 2),
    );
  });

  it('take a snippet from a later result for the same page', () => {
    const merged = new MergedResults(TERMS);
    merged.add([{ url: 'https://a.example/', title: 't', snippet: '' }]);
    merged.add([{ url: 'https://a.example/', title: 'u', snippet: 'words' }]);
    expect(merged.results).toEqual([{ url: 'https://a.example/', title: 't', snippet: 'words' }]);
  });
});
