import { directivesOf, headerDirectives } from './robots-directives.js';

describe('robots directives', () => {
  it.each<[string, boolean, boolean]>([
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
    expect(headerDirectives([header], 'TrawlBot')).toEqual({ noindex, nofollow });
  });

  it.each<[readonly string[], boolean, boolean]>([
    [[], false, false],
    [['otherbot: noindex, nofollow', 'all'], false, false],
    [['otherbot: noindex', 'nofollow'], false, true],
    [['otherbot: all', 'noindex', 'otherbot: nofollow'], true, false],
    [['trawlbot: noindex', 'nofollow'], true, true],
    [['x'.repeat(4_000), 'noindex'], false, false],
  ])(
    'reads the headers %j each by itself as noindex %s, nofollow %s',
    (headers, noindex, nofollow) => {
      expect(headerDirectives(headers, 'TrawlBot')).toEqual({ noindex, nofollow });
    },
  );

  it.each<[string, boolean, boolean]>([
    ['noindex nofollow', true, true],
    ['noindex;follow', true, false],
    ['none', true, true],
    ['max-snippet:-1', false, false],
  ])('reads the directives %j as noindex %s, nofollow %s', (text, noindex, nofollow) => {
    expect(directivesOf(text)).toEqual({ noindex, nofollow });
  });
});
