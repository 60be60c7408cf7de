import { directiveWords, headerWords } from './robots-words.js';

describe('words for robots', () => {
  it.each<[string | undefined, boolean, boolean]>([
    [undefined, false, false],
    ['', false, false],
    ['noindex', true, false],
    ['nofollow', false, true],
    ['NoIndex, NoFollow', true, true],
    ['none', true, true],
    ['all', false, false],
    ['index, follow', false, false],
    ['trawlbot: noindex', true, false],
    ['TrawlBot: none', true, true],
    ['otherbot: noindex', false, false],
    ['otherbot: noindex, nofollow', false, false],
    ['otherbot: noindex, trawlbot: nofollow', false, true],
    ['noindex, otherbot: nofollow', true, false],
    ['*: noindex', true, false],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', true, false],
    ['max-snippet: 10, nofollow', false, true],
    ['noindexing, xnofollow', false, false],
  ])('reads the header %j as noindex %s, nofollow %s', (header, noindex, nofollow) => {
    expect(headerWords(header, 'TrawlBot')).toEqual({ noindex, nofollow });
  });

  it.each<[string, boolean, boolean]>([
    ['noindex nofollow', true, true],
    ['noindex;follow', true, false],
    ['none', true, true],
    ['max-snippet:-1', false, false],
  ])('reads the directives %j as noindex %s, nofollow %s', (text, noindex, nofollow) => {
    expect(directiveWords(text)).toEqual({ noindex, nofollow });
  });
});
