import { MergedLinks } from './merge-links.js';
import { SiteLinks } from './site-links.js';
import type { MapLink } from './sitemap-task.js';

const link = (url: string, key: string | null = null): MapLink => ({ url, key });

const MUCH = 1_000_000_000;

async function merge(
  files: readonly (readonly MapLink[])[],
  limit: number,
  maxBytes = MUCH,
): Promise<{ readonly links: readonly string[]; readonly cut: MergedLinks['cut'] }> {
  const merged = new MergedLinks({ maxLinks: limit + 1, maxBytes });
  for (const file of files) await merged.add(file);
  return { links: merged.links.map(({ url }) => url), cut: merged.cut };
}

describe('links of several files', () => {
  const files = [
    [link('a'), link('b')],
    [],
    [link('b'), link('x', 'a'), link('c'), link('d', 'dd')],
  ];

  it.each([
    [1, ['a'], 'limit'],
    [2, ['a', 'b'], 'limit'],
    [3, ['a', 'b', 'c'], 'limit'],
    [4, ['a', 'b', 'c', 'd'], null],
    [5, ['a', 'b', 'c', 'd'], null],
  ])('are merged to the first %i, each once', async (limit, links, cut) => {
    expect(await merge(files, limit)).toMatchObject({ links, cut });
  });

  it.each([
    [2, ['a', 'b'], 'link_bytes'],
    [5, ['a', 'b', 'c'], 'link_bytes'],
    [6, ['a', 'b', 'c', 'd'], null],
  ])('hold %i bytes, their keys included', async (maxBytes, links, cut) => {
    expect(await merge(files, 10, maxBytes)).toMatchObject({ links, cut });
  });

  it('are cut by their number where both bounds are met', async () => {
    expect(await merge(files, 2, 2)).toMatchObject({ links: ['a', 'b'], cut: 'limit' });
  });

  it('yield to other work', async () => {
    const files = [Array.from({ length: 20_000 }, (_, n) => link(`https://a.example/${n}`))];
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const merged = await merge(files, 50_000);
    clearInterval(counting);
    expect(merged.links.length).toBe(20_000);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('links of one file', () => {
  const found = (
    search: string | null,
    maxLinks: number,
    ...links: readonly string[]
  ): SiteLinks => {
    const site = new SiteLinks({
      site: 'https://www.a.example/any',
      search,
      maxLinks,
      maxBytes: MUCH,
    });
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

  it('are counted apart in the folder of the given page', () => {
    const site = new SiteLinks({
      ...{ site: 'https://a.example/docs/index.html', search: 'none of them', maxLinks: 9 },
      maxBytes: MUCH,
    });
    for (const path of ['/', '/docs', '/docs/a', '/docs-old/', '/a/docs/'])
      site.add(`https://a.example${path}`);
    expect([site.siteLinks, site.folderLinks]).toEqual([5, 2]);
  });

  it('are at most the number that may be returned', () => {
    const { links } = found(null, 2, ...[1, 2, 3].map((n) => `https://a.example/${n}`));
    expect(links.length).toBe(2);
  });

  it.each([
    [56, 2, true],
    [57, 3, false],
  ])('hold %i bytes at most', (maxBytes, count, isCut) => {
    const site = new SiteLinks({ site: 'https://a.example', search: null, maxLinks: 9, maxBytes });
    for (const one of ['1', '2', '3']) site.add(`https://a.example/${one}`);
    expect([site.links.length, site.isCut]).toEqual([count, isCut]);
  });
});
