import type { Delivery } from '@app/broker';
import { Deadline, type MapReply, type PageDocument } from '@app/contracts';
import type { SeedSource } from '@app/crawl';
import { createLogger } from '@app/telemetry';
import { linkBytes, type SitemapReading } from '../../../../libs/scrape/src/map/sitemap-task.js';
import { SiteLinks } from '../../../../libs/scrape/src/map/site-links.js';
import type { MapTerms } from '@app/scrape';
import { mapHandler, type MapConsumerOptions } from './map.consumer.js';

const HOST = 'https://a.example';
const PROJECT = `${HOST}/project/`;

/** Paths of the host that have something, with the paths that they list; `late`: its fetch runs out of time. */
type Host = Readonly<Record<string, readonly string[] | 'late'>>;

interface Asked {
  readonly sources?: readonly SeedSource[];
  readonly url?: string;
  readonly limit?: number;
  readonly search?: string;
}

class FakeHost {
  readonly requested: string[] = [];

  constructor(
    private readonly paths: Host,
    /** Of its pages. */
    private readonly served: Pick<PageDocument, 'contentType' | 'metadata'> = {
      contentType: 'text/html',
      metadata: {},
    },
  ) {}

  async reply({ url = PROJECT, limit = 100, search, sources }: Asked = {}): Promise<MapReply> {
    const handler = mapHandler({
      pages: { fetch: async (asked: { readonly url: string }) => this.page(asked.url) },
      robots: { sitemaps: async () => [] },
      sitemaps: { fetch: async (asked: string, terms: MapTerms) => this.sitemap(asked, terms) },
      log: createLogger({ component: 'spec', level: 'silent' }),
    } as unknown as MapConsumerOptions);
    const task = {
      ...{ requestId: 'r', tenantId: 't', plan: 'pro', url, limit, search: search ?? null },
      ...(sources ? { sources } : {}),
      deadlineAtMs: Deadline.after(60_000).atMs,
    };
    const delivery = { task, signal: new AbortController().signal } as unknown as Delivery;
    return (await handler(delivery)) as MapReply;
  }

  private take(url: string): readonly string[] | 'late' | undefined {
    const path = url.slice(HOST.length);
    this.requested.push(path);
    return this.paths[path];
  }

  private page(url: string): object {
    const found = this.take(url);
    if (found === undefined) return { kind: 'failed', problem: url, errorClass: 'http_error' };
    if (found === 'late') return { kind: 'failed', problem: url, errorClass: 'timeout' };
    const links = found.map((path) => HOST + path);
    return { kind: 'document', document: { url, links, ...this.served } };
  }

  private sitemap(url: string, { filter }: MapTerms): object {
    const found = this.take(url);
    if (found === undefined) return { kind: 'none' };
    if (found === 'late') return { kind: 'failed', problem: url, isLate: true };
    const list = new SiteLinks(filter);
    for (const path of found) list.add(HOST + path);
    const { links, siteLinks, folderLinks } = list;
    const bytes = links.reduce((sum, link) => sum + linkBytes(link), 0);
    const reading: SitemapReading = {
      ...{ kind: 'urlset', links, bytes, siteLinks, folderLinks, children: [], cuts: [] },
    };
    return { kind: 'read', reading, isLate: false };
  }
}

describe('a map', () => {
  const ROOT_SITEMAPS = ['/sitemap.xml', '/sitemap_index.xml'];
  const OWN = '/project/sitemap.xml';
  const read: Host = { '/': ['/r1', '/p1'], '/project/': ['/p1', '/project/2'] };

  it.each<[string, string, Host, readonly string[]]>([
    ['of the root', '/', { '/sitemap.xml': ['/a'] }, ROOT_SITEMAPS],
    ['of the root without a sitemap', '/', read, [...ROOT_SITEMAPS, '/']],
    ['of a campaign’s root', '/?utm_source=x#top', read, [...ROOT_SITEMAPS, '/']],
    ['of another page of the root', '/?lang=de', read, [...ROOT_SITEMAPS, '/?lang=de', '/']],
    ['of a page that sitemaps list', '/project/', { '/sitemap.xml': ['/project/'] }, [OWN, ...ROOT_SITEMAPS]],
    ['of a page that they do not', '/project/', { '/sitemap.xml': ['/blog'] }, [OWN, ...ROOT_SITEMAPS, '/project/']],
    ['of a page without a sitemap', '/project/', {}, [OWN, ...ROOT_SITEMAPS, '/project/', '/']],
    ['of a file', '/project/a.html', {}, [OWN, ...ROOT_SITEMAPS, '/project/a.html', '/']],
    ['of a sitemap', '/maps/a.xml', {}, ['/maps/a.xml', ...ROOT_SITEMAPS, '/']],
    ['of a sitemap that lists pages elsewhere', '/maps/a.xml', { '/maps/a.xml': ['/b'] }, ['/maps/a.xml', ...ROOT_SITEMAPS]],
  ])('%s requests what it needs, once: %s', async (_name, path, paths, requested) => {
    const host = new FakeHost(paths);
    await host.reply({ url: HOST + path });
    expect(host.requested).toEqual(requested);
  }); // prettier-ignore

  it.each<[string, Host, string, readonly string[]]>([
    ['both pages, the given one first', read, 'crawl', ['/p1', '/project/2', '/r1']],
    ['the given page alone', { '/project/': ['/p1'] }, 'crawl', ['/p1']],
    ['the homepage alone', { '/': ['/r1'] }, 'crawl', ['/r1']],
    ['pages without links', { '/project/': [] }, 'none', []],
    ['an empty sitemap alone', { '/sitemap.xml': [] }, 'none', []],
    ['all sitemaps, that of the folder first', { '/sitemap.xml': ['/s1', '/project/1'], [OWN]: ['/project/1', '/project/2'] }, 'sitemap', ['/project/1', '/project/2', '/s1']],
    ['the given page, then sitemaps without its folder', { ...read, '/sitemap.xml': ['/s1?utm_source=x', '/p1'] }, 'sitemap', ['/p1', '/project/2', '/s1?utm_source=x']],
    ['sitemaps without its folder alone', { '/sitemap.xml': ['/s1'] }, 'sitemap', ['/s1']],
  ])('lists the links of %s', async (_name, paths, source, links) => {
    const reply = await new FakeHost(paths).reply();
    expect(reply).toEqual({
      ...{ kind: 'mapped', source, timedOut: false, cuts: [] },
      links: links.map((path) => HOST + path),
    });
  }); // prettier-ignore

  it('lists a URL once, in whichever form the given page and the sitemap have it', async () => {
    const host = new FakeHost({ '/project/': ['/a'], '/sitemap.xml': ['/a?utm_source=x', '/b'] });
    expect(await host.reply()).toMatchObject({ links: [`${HOST}/a`, `${HOST}/b`] });
  });

  it('limits and searches the links of all files together', async () => {
    const host = new FakeHost({ ...read, '/sitemap.xml': ['/s1', '/s2'] });
    const links = ['/p1', '/project/2', '/s1'].map((path) => HOST + path);
    expect(await host.reply({ limit: 3 })).toMatchObject({ links, cuts: ['limit'] });
    const found = { links: [`${HOST}/project/2`, `${HOST}/s2`], source: 'sitemap', cuts: [] };
    expect(await host.reply({ search: '2' })).toMatchObject(found);
  });

  it.each<[string, Host, object]>([
    ['nothing can be fetched', {}, { kind: 'failed', reason: 'fetch', problem: PROJECT }],
    ['the time ran out without links', { '/': 'late' }, { kind: 'failed', reason: 'timeout' }],
    ['the time ran out after a page without links', { '/project/': [], '/': 'late' }, { kind: 'failed', reason: 'timeout' }],
    ['the homepage hangs', { ...read, '/': 'late' }, { kind: 'mapped', source: 'crawl', timedOut: true }],
    ['the given page hangs, beside sitemaps', { '/project/': 'late', '/sitemap.xml': ['/s1'] }, { kind: 'mapped', source: 'sitemap', timedOut: true }],
  ])('says so when %s', async (_name, paths, reply) => {
    expect(await new FakeHost(paths).reply()).toMatchObject(reply);
  }); // prettier-ignore

  describe('with other sources', () => {
    const feeds = ['/feed', '/news/feed'].map((path) => ({ url: HOST + path, type: '' }));
    const served = { contentType: 'text/html', metadata: { feeds } };
    const site: Host = {
      '/sitemap.xml': ['/s1', '/project/s2'],
      ...{ '/project/': ['/p1'], '/feed': ['/f1', '/s1'], '/news/feed': ['/f2'] },
      ...{ '/project/llms.txt': ['/project/l1'], '/llms.txt': ['/l2', '/f1'] },
    };

    it.each<[string, readonly SeedSource[], readonly string[], readonly string[]]>([
      ['llms.txt', ['llms.txt'], ['/project/llms.txt', '/llms.txt'], ['/s1', '/project/s2', '/project/l1', '/l2', '/f1']],
      ['feeds', ['feeds'], ['/project/', '/feed', '/news/feed'], ['/p1', '/s1', '/project/s2', '/f1', '/f2']],
      ['both', ['feeds', 'llms.txt'], ['/project/', '/feed', '/news/feed', '/project/llms.txt', '/llms.txt'], ['/p1', '/s1', '/project/s2', '/f1', '/f2', '/project/l1', '/l2']],
    ])('reads %s after the sitemaps', async (_, sources, requested, links) => {
      const host = new FakeHost(site, served);
      expect(await host.reply({ sources })).toMatchObject({
        ...{ kind: 'mapped', source: 'sitemap', cuts: [] },
        links: links.map((path) => HOST + path),
      });
      expect(host.requested).toEqual([OWN, ...ROOT_SITEMAPS, ...requested]);
    }); // prettier-ignore

    it('lists what they name where nothing else lists anything', async () => {
      const host = new FakeHost({ '/llms.txt': ['/l2'] });
      expect(await host.reply({ url: `${HOST}/`, sources: ['llms.txt'] })).toMatchObject({
        ...{ kind: 'mapped', source: 'sitemap', links: [`${HOST}/l2`] },
      });
    });

    it('reports a feed that is missing, and not an llms.txt', async () => {
      const host = new FakeHost({ '/project/': [], '/sitemap.xml': ['/s1'] }, served);
      const reply = await host.reply({ sources: ['feeds', 'llms.txt'] });
      expect(reply).toMatchObject({ links: [`${HOST}/s1`], cuts: ['unread'] });
    });

    it('reads a given page that is a feed, and lists what it names first', async () => {
      const paths = { '/project/': ['/p1', '/p2'], '/sitemap.xml': ['/s1'] };
      const host = new FakeHost(paths, { contentType: 'application/rss+xml', metadata: {} });
      const links = ['/p1', '/p2', '/s1'].map((path) => HOST + path);
      expect(await host.reply()).toMatchObject({ links, source: 'sitemap' });
    });
  });

  it('reads no page when the sitemaps used up the time', async () => {
    const host = new FakeHost({ ...read, '/sitemap.xml': ['/s1'], '/sitemap_index.xml': 'late' });
    const late = { links: [`${HOST}/s1`], timedOut: true, cuts: ['unread'] };
    expect(await host.reply()).toMatchObject(late);
    expect(host.requested).toEqual([OWN, ...ROOT_SITEMAPS]);
  });
});
