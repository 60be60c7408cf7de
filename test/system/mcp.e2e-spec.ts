import { htmlPage, pdfOf, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { nextOf, resultText, webContentOf, type ToolPeer } from '../../apps/cli/test/tool-peer.js';
import { StdioTools } from '../../apps/cli/test/stdio-tools.js';
import { untilCached } from './cached-copies.js';
import { createCaller, MODES, type Service } from './deployment.js';
import { HeldPages } from './held-pages.js';
import { share } from './shared-cluster.js';

const PARAGRAPHS = Array.from({ length: 600 }, (_, n) => `Paragraph ${n} has some words in it.`);
const LONG_PAGE = htmlPage({
  title: 'Long page',
  body: PARAGRAPHS.map((text) => `<p>${text}</p>`).join('\n'),
});
const BAKERY = htmlPage({
  title: 'Corner Bakery',
  body: '<div itemscope itemtype="https://schema.org/Bakery"><h1 itemprop="name">Corner Bakery</h1><a itemprop="telephone" href="tel:+15125550147">(512) 555-0147</a></div>',
});

describe.each(MODES)('trawl mcp against a service, %s', (mode) => {
  let site: FixtureSite;
  let service: Service;
  let tools: StdioTools;
  let peer: ToolPeer;
  const started: StdioTools[] = [];

  /** A host with its own process of the tool server. */
  const start = async (key: string): Promise<StdioTools> => {
    const one = StdioTools.start({ env: { TRAWL_URL: service.url, TRAWL_API_KEY: key } });
    started.push(one);
    await one.peer.initialize();
    return one;
  };

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 12 });
    service = await share(mode);
    tools = await start(service.key);
    peer = tools.peer;
  });
  afterAll(async () => {
    for (const one of started) {
      await one.stop();
      expect(one.strayLines).toEqual([]);
    }
    await service?.stop();
    await site?.close();
  });

  it('reads a long page piece by piece, in another process too, with one request to the site', async () => {
    site.serve({ '/long': LONG_PAGE });
    const args = { url: site.url('/long'), maxTokens: 2_000 };
    const first = await peer.call('scrape', args);
    expect(first.isError).toBeUndefined();
    await untilCached(service.database, args.url);
    const next = nextOf(first);
    const second = await peer.call('scrape', { ...args, ...next });
    const other = await start(service.key);
    const same = await other.peer.call('scrape', { ...args, ...next });
    expect(webContentOf(same)).toBe(webContentOf(second));
    expect(resultText(same)).not.toContain('has changed');
    expect(site.count('/long')).toBe(1);
    expect(webContentOf(second)).toMatch(/^Paragraph \d+ has/);
    expect(webContentOf(first).length).toBeLessThanOrEqual(8_000);
  });

  it('crawls with progress, lists the pages and reads one', async () => {
    const args = {
      url: site.url('/tree/0'),
      limit: 5,
      allowBackwardLinks: true,
      sitemap: 'skip',
      wait: true,
    };
    const crawl = await peer.call('crawl', args, 'crawl-1');
    expect(crawl.structuredContent).toMatchObject({ status: 'completed', pagesScraped: 5 });
    const reports = peer
      .notifications('notifications/progress')
      .flatMap(({ params }) => (params?.['progressToken'] === 'crawl-1' ? [params] : []));
    expect(reports.at(-1)).toMatchObject({ progress: 5, total: 5 });

    const jobId = crawl.structuredContent?.['jobId'];
    const list = await peer.call('crawl_results', { jobId, limit: 3 });
    expect(webContentOf(list).split('\n')).toHaveLength(3);
    expect(nextOf(list)).toEqual({ cursor: 3 });
    const page = await peer.call('crawl_results', { jobId, page: 5 });
    expect(page.content[0]?.text).toMatch(/^Page 5, HTTP 200/);
    expect(webContentOf(page).length).toBeGreaterThan(20);
    expect((await peer.call('crawl_results', { jobId, page: 6 })).isError).toBe(true);
  });

  it('ends the crawl of a cancelled call', async () => {
    const jobIds = async (): Promise<readonly string[]> => {
      const { jobs } = (await service.client.jobs()) as { jobs: readonly { id: string }[] };
      return jobs.map((job) => job.id);
    };
    const before = await jobIds();
    const held = new HeldPages(site, 40, 3);
    const { id } = peer.startCall('crawl', { url: held.url, limit: 40, wait: true }, 'slow');
    const isUnderWay = () =>
      peer
        .notifications('notifications/progress')
        .some(({ params }) => params?.['progressToken'] === 'slow');
    await until(isUnderWay, { what: 'progress' });
    peer.cancel(id);
    const jobId = (await jobIds()).find((one) => !before.includes(one)) ?? '';
    const job = await service.client.waitForEnd(jobId);
    held.release();
    expect(job.status).toBe('cancelled');
    expect((await peer.call('crawl_status', { jobId })).structuredContent).toMatchObject({
      status: 'cancelled',
      isOver: true,
    });
  });

  it('cancels a crawl that was started without waiting', async () => {
    const held = new HeldPages(site, 40);
    const { structuredContent } = await peer.call('crawl', { url: held.url, limit: 40 });
    const jobId = structuredContent?.['jobId'] as string;
    await peer.call('crawl_cancel', { jobId });
    expect((await service.client.waitForEnd(jobId)).status).toBe('cancelled');
    held.release();
  });

  it('maps, extracts, parses and enriches', async () => {
    site.serve({
      '/bakery': BAKERY,
      '/paper.pdf': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'application/pdf' })
          .end(pdfOf(['A paper about bread.'])),
    });
    expect(
      webContentOf(await peer.call('map', { url: site.url('/'), limit: 5 })).split('\n').length,
    ).toBeGreaterThan(0);
    const extracted = await peer.call('extract', { urls: [site.url('/bakery')] });
    expect(JSON.parse(webContentOf(extracted))).toMatchObject([
      { ok: true, data: { name: 'Corner Bakery' } },
    ]);
    expect(webContentOf(await peer.call('parse', { url: site.url('/paper.pdf') }))).toContain(
      'A paper about bread.',
    );
    const enriched = await peer.call('enrich', { domain: site.url('/'), maxPages: 1 });
    expect(enriched.content[0]?.text).toMatch(/^1 pages read\./);
  });

  it('explains a page that does not exist, and a private address', async () => {
    const missing = await peer.call('scrape', { url: site.url('/no-such-page') });
    expect([missing.isError, resultText(missing)]).toEqual([
      true,
      expect.stringMatching(/HTTP 404.*\nFix: /),
    ]);
    const blocked = await peer.call('scrape', { url: 'http://169.254.169.254/latest/meta-data/' });
    expect(resultText(blocked)).toMatch(
      /code blocked_url, HTTP 400, request \S+\)\nFix: Use a public address/,
    );
  });

  it('serves two clients side by side, and shows neither the jobs of the other', async () => {
    const { key } = await createCaller(service.database, 'other', 'custom');
    const other = await start(key);
    const crawl = (one: ToolPeer) =>
      one.call('crawl', {
        url: site.url('/tree/0'),
        limit: 3,
        allowBackwardLinks: true,
        wait: true,
      });
    const [mine, theirs] = await Promise.all([crawl(peer), crawl(other.peer)]);
    for (const [one, result] of [
      [other.peer, mine],
      [peer, theirs],
    ] as const) {
      const { jobId, status } = result.structuredContent ?? {};
      expect(status).toBe('completed');
      const foreign = await one.call('crawl_results', { jobId });
      expect(resultText(foreign)).toMatch(/^Job not found \(code job_not_found/);
    }
  });
});
