import { MAX_SEARCH_CHARS, parseListQuery } from './parse-list-query.js';

describe('the query of the list of results', () => {
  it.each([
    [{}, { state: 'scraped', search: null }],
    [
      { state: '', q: '' },
      { state: 'scraped', search: null },
    ],
    [
      { state: 'all', q: ' Docs ' },
      { state: null, search: 'Docs' },
    ],
    [
      { state: 'failed', reason: 'timeout', cursor: '7' },
      { state: 'failed', reason: 'timeout', after: 7n },
    ],
    [{ q: 'x'.repeat(MAX_SEARCH_CHARS) }, { search: 'x'.repeat(MAX_SEARCH_CHARS) }],
  ])('%j', (raw, parsed) => {
    expect(parseListQuery(raw)).toMatchObject(parsed);
  });

  it.each([
    { q: 'x'.repeat(MAX_SEARCH_CHARS + 1) },
    { q: ['a', 'b'] },
    { q: 'a\0b' },
    { q: '\ud800' },
    { state: 'none' },
    { cursor: '-1' },
  ])('refuses %j', (raw) => {
    expect(() => parseListQuery(raw)).toThrow(/must be/);
  });
});
