import { mergeLinks } from './merge-links.js';
import { SiteLinks } from './site-links.js';
import type { MapLink } from './sitemap-task.js';

const link = (url: string, key: string | null = null): MapLink => ({ url, key });

describe('links of several files', () => {
  it.each([
    [1, ['a'], true],
    [2, ['a', 'b'], true],
    [3, ['a', 'b', 'c'], false],
    [4, ['a', 'b', 'c'], false],
  ])('are merged to the first %i, each once', async (limit, links, isCut) => {
    const files = [[link('a'), link('b')], [], [link('b'), link('x', 'a'), link('c')]];
    expect(await mergeLinks(files, limit)).toEqual({ links, isCut });
  });

  it('let others have their turn', async () => {
    const files = [Array.from({ length: 20_000 }, (_, n) => link(`https://a.example/${n}`))];
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const merged = await mergeLinks(files, 50_000);
    clearInterval(counting);
    expect(merged.links.length).toBe(20_000);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('links of one file', () => {
  const found = (search: string | null, most: number, ...links: readonly string[]): SiteLinks => {
    const site = new SiteLinks({ site: 'https://www.a.example/any', search, most });
    for (const one of links) site.add(one);
    return site;
  };

  it('are those of the site, with www. or without, whatever the protocol', () => {
    const { links, siteLinks } = found(
      null,
      10,
      'https://a.example/1',
      'http://www.a.example/2',
      'https://b.a.example/3',
      'https://a.example:8443/4',
      'https://a.example.evil/5',
      'not an address',
    );
    expect(links.map(({ url }) => url)).toEqual(['https://a.example/1', 'http://www.a.example/2']);
    expect(siteLinks).toBe(2);
  });

  it('are counted also where the search leaves them out', () => {
    const { links, siteLinks } = found('yes', 10, 'https://a.example/no', 'https://a.example/YES');
    expect([links, siteLinks]).toEqual([[{ url: 'https://a.example/YES', key: null }], 2]);
  });

  it('are as many as may be handed back', () => {
    const { links } = found(null, 2, ...[1, 2, 3].map((n) => `https://a.example/${n}`));
    expect(links.length).toBe(2);
  });
});
