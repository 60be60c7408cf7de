import { bareDomain, isWithin } from './bare-domain.js';
import { effectiveQuery, type QueryTerms } from './effective-query.js';

const NONE: QueryTerms = { query: 'q', includeDomains: [], excludeDomains: [], categories: [] };

describe('the effective query', () => {
  it.each<[Partial<QueryTerms>, string]>([
    [{ query: '  two\n words ' }, 'two words'],
    [{ query: 'x site:a.example filetype:pdf' }, 'x site:a.example filetype:pdf'],
    [{ includeDomains: ['a.example'] }, 'q site:a.example'],
    [{ includeDomains: ['a.example', 'b.example'] }, 'q (site:a.example OR site:b.example)'],
    [{ excludeDomains: ['a.example', 'b.example'] }, 'q -site:a.example -site:b.example'],
    [{ categories: ['github'] }, 'q site:github.com'],
    [{ categories: ['pdf'] }, 'q filetype:pdf'],
    [{ categories: ['github', 'pdf'] }, 'q (site:github.com OR filetype:pdf)'],
    [{ includeDomains: ['a.example'], categories: ['pdf'] }, 'q site:a.example filetype:pdf'],
  ])('of %j is %s', (terms, expected) => {
    expect(effectiveQuery({ ...NONE, ...terms })).toBe(expected);
  });

  it('names several sites of research as alternatives', () => {
    const text = effectiveQuery({ ...NONE, categories: ['research'] });
    expect(text).toMatch(/^q \(site:arxiv\.org OR .*site:scholar\.google\.com.*\)$/);
  });
});

describe('a bare domain', () => {
  it.each<[string, string | null]>([
    ['example.com', 'example.com'],
    ['WWW.Example.COM', 'example.com'],
    ['https://www.example.com:8443/a?b#c', 'example.com'],
    ['*.example.com', 'example.com'],
    ['docs.example.com.', 'docs.example.com'],
    ['gov', 'gov'],
    ['www.com', 'www.com'],
    ['müller.example', 'xn--mller-kva.example'],
    ['192.0.2.7', '192.0.2.7'],
    ['', null],
    ['a b', null],
    ['ftp://a.example', null],
    ['user@a.example', null],
    ['-a.example', null],
    ['a..example', null],
    ['[::1]', null],
    [`${'a.'.repeat(130)}example`, null],
    ['a.example OR site:b.example', null],
  ])('of %j is %j', (text, expected) => {
    expect(bareDomain(text)).toBe(expected);
  });

  it.each<[string, boolean]>([
    ['a.example', true],
    ['docs.a.example', true],
    ['nota.example', false],
    ['a.example.org', false],
  ])('contains %s: %s', (host, expected) => {
    expect(isWithin(host, ['a.example'])).toBe(expected);
  });
});
