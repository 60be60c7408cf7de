import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parseOutboundProxies } from '@app/egress';
import { parseHttpProvider } from '@app/fetch';
import { parseHtmlSetting, parseSerpSetting } from '@app/search';
import {
  pdfOf,
  SMALL_SITE_PATHS,
  startFakeSearch,
  startFixtureSite,
  until,
  type FixtureSite,
} from '@app/testing';
import { parseSourcesSetting } from '@app/connectors';
import { startFakeSources, type FakeSources } from '../../libs/connectors/test/fake-sources.js';
import { itInFull } from '../setup/full-run.js';
import { deploy, PATIENT_ENV, type Deployment } from './deployment.js';

const FETCHING = readDocument('docs/fetching.md');

/** Shell blocks that call the API. */
const README_EXAMPLES = examplesOf(readDocument('README.md'));
const EXAMPLES = examplesOf(readDocument('docs/endpoints.md'));
const JOB_EXAMPLES = ['crawling', 'jobs', 'webhooks'].flatMap((name) =>
  examplesOf(readDocument(`docs/${name}.md`)),
);
const ANSWERS = examplesOf(readDocument('docs/tutorial-answers.md'));
const PRICES = examplesOf(readDocument('docs/tutorial-prices.md'));
const COMPANIES = examplesOf(readDocument('docs/tutorial-companies.md'));
const COMPANY_EXAMPLES = examplesOf(readDocument('docs/companies.md'));
const USE_EXAMPLES = examplesOf(readDocument('docs/content-use.md'));
const LOGIN_EXAMPLES = examplesOf(readDocument('docs/logins.md'));
const V2_EXAMPLES = examplesOf(readDocument('docs/v2.md'));
const SEARCH_EXAMPLES = examplesOf(readDocument('docs/search.md'));
const SEARCH_SETTINGS = [...readDocument('docs/search.md').matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);
const SCRAPERS = readDocument('docs/scrapers.md');
const CONNECTORS = readDocument('docs/connectors.md');
const CONNECTOR_EXAMPLES = examplesOf(CONNECTORS);
const FEED_EXAMPLES = examplesOf(readDocument('docs/feeds.md'));
const ACCOUNT_EXAMPLES = examplesOf(readDocument('docs/accounts.md'));

function readDocument(name: string): string {
  return readFileSync(path.resolve(__dirname, '../..', name), 'utf8');
}

function examplesOf(document: string): string[] {
  return [...document.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block = '']) => block)
    .filter((block) => block.startsWith('curl '));
}

/** Blocks of a language. */
function blocksOf(document: string, language: 'js' | 'json'): string[] {
  const fences = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  return [...document.matchAll(fences)].map(([, block = '']) => block);
}

/** What an example calls, without its parameters. */
function pathOf(block: string): string | undefined {
  return /\/v[12]\/[\w/$]+/.exec(block)?.[0];
}

/** A page of a product. */
function lamp(price: number): string {
  const offers = { '@type': 'Offer', price, priceCurrency: 'EUR' };
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Harbour lamp',
    offers,
  };
  return `<!doctype html><title>Harbour lamp</title><script type="application/ld+json">${JSON.stringify(data)}</script><h1>Harbour lamp</h1><p>A lamp for the harbour, ${price} EUR.</p>`;
}

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const DOCS_PATHS = ['/docs', '/docs/install', '/docs/usage'];

describe('the examples of the documents', () => {
  let site: FixtureSite;
  let service: Deployment;
  let folder: string;
  let engines: Awaited<ReturnType<typeof startFakeSearch>>;
  let sources: FakeSources;
  /** A crawl that has ended, which examples request. */
  let crawlId: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'readme-'));
    // Its sitemap is empty: pages are found by links.
    site = await startFixtureSite({ treePages: 0 });
    engines = await startFakeSearch([
      { url: 'https://www.postgresql.org/docs/', title: 'Manual', snippet: 'The manual.' },
    ]);
    sources = await startFakeSources();
    await writeFile(path.join(folder, 'own.mjs'), blocksOf(CONNECTORS, 'js')[0] ?? '');
    const ours = {
      ...PATIENT_ENV,
      SCRAPER_MAPS: JSON.stringify([sources.settings.partner]),
      CONNECTORS_DIR: folder,
    };
    service = await deploy('embedded', { env: { ...engines.settings, ...ours } });
    const { jobId } = await service.client.crawl({ url: site.url('/'), index: true });
    crawlId = (await service.client.waitForEnd(jobId)).id;
  });
  afterAll(async () => {
    await service?.stop();
    await engines?.close();
    await sources?.close();
    await site?.close();
    await rm(folder, { recursive: true });
  });

  /** What the example prints. */
  async function printed(block = ''): Promise<string> {
    const command = block
      .replaceAll('https://example.com/', site.url('/'))
      .replaceAll(encodeURIComponent('https://example.com/'), encodeURIComponent(site.url('/')));
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      env: { PATH: process.env['PATH'] ?? '', TRAWL: service.url, KEY: service.key, ID: crawlId },
      cwd: folder,
    });
    return stdout;
  }
  async function paste(block = ''): Promise<Record<string, unknown>> {
    return JSON.parse(await printed(block)) as Record<string, unknown>;
  }

  it('are these', () => {
    expect(README_EXAMPLES.map(pathOf)).toEqual([
      '/v1/scrape',
      '/v1/crawl',
      '/v1/crawl/$ID/results',
    ]);
    expect(EXAMPLES.map(pathOf)).toEqual([
      '/v1/scrape',
      '/v1/scrape',
      '/v1/scrape',
      '/v1/scrape',
      '/v1/scrape',
      '/v1/extract',
      '/v1/parse',
      '/v1/screenshot',
      '/v1/map',
      '/v1/crawl',
      '/v1/batch',
      '/v1/enrich',
      '/v1/brand',
      '/v1/webhooks/secret',
      '/v1/usage',
    ]);
    expect(ACCOUNT_EXAMPLES.map(pathOf)).toEqual(['/v1/keys', '/v1/usage', '/v1/billing/checkout']);
    expect(V2_EXAMPLES.map(pathOf)).toEqual(['/v2/scrape']);
    expect(SEARCH_EXAMPLES.map(pathOf)).toEqual(['/v1/search']);
    expect(SEARCH_SETTINGS).toHaveLength(3);
    expect(examplesOf(SCRAPERS).map(pathOf)).toEqual(['/v1/scrapers/maps']);
    expect(CONNECTOR_EXAMPLES.map(pathOf)).toEqual(['/v1/preview', '/v1/pull', '/v1/chat']);
    expect(FEED_EXAMPLES.map(pathOf)).toEqual([
      '/v1/feeds',
      '/v1/feeds/$ID/run',
      '/v1/feeds/$ID/runs',
    ]);
    expect(COMPANY_EXAMPLES.map(pathOf)).toEqual([
      '/v1/enrich/website',
      '/v1/brand',
      '/v1/resolve',
      '/v1/graph/query',
      '/v1/graph/business/127',
    ]);
    expect(USE_EXAMPLES.map(pathOf)).toEqual(['/v1/scrape']);
    expect(LOGIN_EXAMPLES.map(pathOf)).toEqual(['/v1/profiles/shop', '/v1/crawl']);
    expect(JOB_EXAMPLES.map(pathOf)).toEqual([
      '/v1/map',
      '/v1/crawl',
      '/v1/crawl',
      '/v1/crawl',
      '/v1/crawl/$ID/changes',
      '/v1/crawl',
      '/v1/sites/docs',
      '/v1/batch',
      '/v1/batch',
      '/v1/crawl/$ID/extract',
      '/v1/crawl/$ID/results',
      '/v1/crawl/$ID/urls',
      '/v1/crawl/$ID/search',
      '/v1/crawl/$ID/events',
      '/v1/crawl/$ID/results',
      '/v1/data',
      '/v1/webhooks/secret',
      '/v1/webhooks/test',
      '/v1/webhooks/deliveries',
      '/v1/crawl',
    ]);
  });

  it('begin with the commands of the README', async () => {
    expect(README_EXAMPLES[0]).toBe(EXAMPLES[0]);
    expect(README_EXAMPLES[1]).toBe(EXAMPLES[9]);
    const lines = (await printed(README_EXAMPLES[2])).trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ url: site.url('/'), ok: true });
  });

  it('scrape as shown', async () => {
    expect(await paste(EXAMPLES[0])).toMatchObject({
      ok: true,
      markdown: expect.stringContaining('Small site'),
      formats: { links: expect.arrayContaining([site.url('/about')]) },
      metadata: { title: 'Small site /', fetchMethod: 'plain' },
      cascade: { level: 1 },
    });
  });

  it('read a product as shown', async () => {
    expect(await paste(EXAMPLES[1])).toMatchObject({
      formats: {
        product: {
          ...{ name: 'Harbour lamp', price: 19.9, currency: 'EUR', availability: 'InStock' },
          ...{ sku: 'HL-10', _provenance: { price: { layer: 'json-ld' }, sku: { layer: 'text' } } },
        },
      },
    });
  });

  it('scrape by the compatibility set as shown', async () => {
    expect(await paste(V2_EXAMPLES[0])).toMatchObject({
      success: true,
      data: { html: expect.stringContaining('Small site'), metadata: { sourceURL: site.url('/') } },
    });
  });

  it('scrape listings as shown, from sources described as shown', async () => {
    expect(await paste(examplesOf(SCRAPERS)[0])).toMatchObject({ total: 10, source: 'partner' });
    const [list = '', page = ''] = blocksOf(SCRAPERS, 'json');
    const kinds = [list, `[${page}]`].flatMap(parseSourcesSetting).map(({ kind }) => kind);
    expect(kinds).toEqual(['api', 'overpass', 'html']);
  });

  it('preview, pull and chat as shown, with a connector as shown', async () => {
    const [preview, pull = '', chat] = CONNECTOR_EXAMPLES;
    const { jobId } = (await paste(preview)) as { readonly jobId: string };
    expect(await paste(pull.replace('$ID', jobId))).toMatchObject({ status: 'completed', jobId });
    expect(await paste(chat)).toMatchObject({ kind: 'new', connectorId: 'sitemap_urls' });
    const { body } = await service.client.call('GET', '/v1/connectors');
    expect(JSON.stringify(body)).toContain('"weather_stations"');
  });

  it('watch a connector as shown', async () => {
    const [create, runNow = '', runs = ''] = FEED_EXAMPLES;
    const { feedId } = (await paste(create)) as { readonly feedId: string };
    expect(await paste(runNow.replace('$ID', feedId))).toMatchObject({ status: 'active', feedId });
    const isDone = async (): Promise<boolean> =>
      JSON.stringify(await paste(runs.replace('$ID', feedId))).includes('"completed"');
    await until(isDone, { what: 'a complete run' });
  });

  it('search as shown, by backends described as shown', async () => {
    expect(await paste(SEARCH_EXAMPLES[0])).toMatchObject({
      source: 'serp_provider',
      results: [{ position: 1, url: 'https://www.postgresql.org/docs/', markdown: null }],
    });
    const [preset = '', own = '', page = ''] = SEARCH_SETTINGS;
    expect(parseSerpSetting(preset)).toMatchObject({ pageSize: 20 });
    expect(parseSerpSetting(own)).toMatchObject({ shape: { results: '/data/items' } });
    expect(parseHtmlSetting(page)).toMatchObject({ shape: { none: '.no-results' } });
  });

  itInFull('fail at an action as shown', async () => {
    expect(await paste(EXAMPLES[2])).toMatchObject({
      ok: false,
      error: expect.stringContaining('actions[0] (click) failed'),
      action: { index: 0, type: 'click' },
    });
  });

  it('give Markdown alone as shown', async () => {
    expect(await printed(EXAMPLES[3])).toContain('Small site');
  });

  it('find what answers as shown', async () => {
    const { formats } = (await paste(EXAMPLES[4])) as { formats: Record<string, unknown[]> };
    expect(Object.keys(formats)).toEqual(['passages']);
  });

  it('fetch only what has changed, and crawl a site again, as shown', async () => {
    const { jobId } = (await paste(JOB_EXAMPLES[3])) as { jobId: string };
    expect(await service.client.waitForEnd(jobId)).toMatchObject({ since: crawlId });
    const lines = (await printed(JOB_EXAMPLES[4])).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toHaveLength(6);
    const dated = (await paste(JOB_EXAMPLES[5])) as { jobId: string };
    // The site names no dates.
    expect(await service.client.waitForEnd(dated.jobId)).toMatchObject({ pages_scraped: 6 });
    const [put, crawl] = (await printed(JOB_EXAMPLES[6])).split(/(?<=})(?={)/);
    expect(JSON.parse(put ?? '')).toMatchObject({ name: 'docs', schedule: '0 7 * * *' });
    const started = JSON.parse(crawl ?? '') as { jobId: string };
    await service.client.waitForEnd(started.jobId);
  });

  it('save a login and use it as shown', async () => {
    expect(await paste(LOGIN_EXAMPLES[0])).toMatchObject({
      ...{ name: 'shop', state: 'active', cookieNames: ['session', 'theme'] },
    });
    const { jobId } = (await paste(LOGIN_EXAMPLES[1])) as { jobId: string };
    expect(await service.client.waitForEnd(jobId)).toMatchObject({ status: 'completed' });
    const sent = site.requests('/about').at(-1);
    expect(sent?.headers['cookie']).toBe('session=abc; theme=dark');
  });

  it('extract data as shown', async () => {
    expect(await paste(EXAMPLES[5])).toMatchObject({
      url: null,
      data: {
        name: 'Corner Bakery',
        phone: expect.stringContaining('555-0147'),
        _extraction_method: 'microdata',
        _provenance: { name: { layer: 'microdata' } },
      },
    });
  });

  it('read a document as shown', async () => {
    await writeFile(path.join(folder, 'report.pdf'), pdfOf(['Annual report of the harbour']));
    expect(await paste(EXAMPLES[6])).toMatchObject({
      ok: true,
      format: 'pdf',
      pages: 1,
      chunks: [{ text: expect.stringContaining('Annual report'), index: 0 }],
    });
  });

  it('take a picture as shown', async () => {
    expect(await paste(EXAMPLES[7])).toMatchObject({
      width: 800,
      format: 'png',
      base64: expect.stringMatching(/^iVBOR/),
    });
  });

  it('describe a paid provider as the service reads it', () => {
    const [, json = ''] = /```json\n(\{\s+"name"[\s\S]*?)```/.exec(FETCHING) ?? [];
    expect(parseHttpProvider(json)).toMatchObject({ name: 'example', priceMicroUsd: 1_500 });
  });

  it('name proxies as the service reads them', () => {
    const [, text = ''] = /`OUTBOUND_PROXIES=(\S+)`/.exec(FETCHING) ?? [];
    expect(parseOutboundProxies(text)).toHaveLength(2);
  });

  it('map a site as shown', async () => {
    const map = await paste(EXAMPLES[8]);
    expect(map).toEqual({
      url: site.url('/'),
      links: expect.any(Array),
      total: 6,
      source: 'crawl',
    });
    const links = SMALL_SITE_PATHS.map((page) => site.url(page));
    expect(new Set(map['links'] as string[])).toEqual(new Set(links));
    expect(await paste(JOB_EXAMPLES[0])).toMatchObject({
      links: DOCS_PATHS.map((page) => site.url(page)),
      total: 3,
    });
  });

  it('crawl as shown', async () => {
    const { jobId } = (await paste(EXAMPLES[9])) as { jobId: string };
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      type: 'crawl',
      status: 'completed',
      pages_scraped: 6,
    });
  });

  it('crawl with options as shown', async () => {
    const { jobId } = (await paste(JOB_EXAMPLES[1])) as { jobId: string };
    await service.client.waitForEnd(jobId);
    const pages = await service.client.results(jobId);
    expect(pages.map(({ url }) => url).sort()).toEqual(DOCS_PATHS.map((page) => site.url(page)));
    // Links are those of the main content, which has none.
    expect(pages[0]).toMatchObject({ markdown: expect.not.stringContaining('/about'), links: [] });
  });

  it('crawl what an llms.txt names as shown', async () => {
    const text = '# Small site\n\n- [About](/about)\n- [Elsewhere](https://elsewhere.example/)\n';
    site.serve({ '/llms.txt': ({ response }) => void response.end(text) });
    const { jobId } = (await paste(JOB_EXAMPLES[2])) as { jobId: string };
    await service.client.waitForEnd(jobId);
    const pages = await service.client.results(jobId);
    expect(pages.map(({ url }) => url).sort()).toEqual([site.url('/about'), site.url('/llms.txt')]);
  });

  it('respect the use of a page as shown', async () => {
    expect(await paste(USE_EXAMPLES[0])).toMatchObject({ ok: true });
  });

  it('enrich a company as shown', async () => {
    const homepage = { title: 'Small site /' };
    const tech_meta = { partial: false, reasons: [] };
    const found = { domain: '127.0.0.1', homepage, tech_stack: expect.any(Array), tech_meta };
    // The homepage, and two of the usual pages.
    expect(await paste(EXAMPLES[11])).toMatchObject({ ...found, pages_crawled: 3 });
    expect(await paste(COMPANY_EXAMPLES[0])).toMatchObject(found);
  });

  it('read a brand as shown', async () => {
    const brand = { domain: '127.0.0.1', _confidence: expect.any(Number), brand_meta: {} };
    expect(await paste(EXAMPLES[12])).toMatchObject(brand);
    expect(await paste(COMPANY_EXAMPLES[1])).toMatchObject(brand);
  });

  it('resolve a company and query the graph as shown', async () => {
    expect(await paste(COMPANY_EXAMPLES[2])).toMatchObject({ resolved: true, domain: '127.0.0.1' });
    expect(await paste(COMPANY_EXAMPLES[3])).toMatchObject({ count: 0, results: [] });
    expect(await paste(COMPANY_EXAMPLES[4])).toMatchObject({ domain: '127.0.0.1' });
  });

  it('report the account as shown', async () => {
    const usage = { plan: 'enterprise', credits: { state: 'ok' } };
    expect(await paste(EXAMPLES[14])).toMatchObject(usage);
    expect(await paste(ACCOUNT_EXAMPLES[1])).toMatchObject(usage);
    expect(await paste(ACCOUNT_EXAMPLES[0])).toMatchObject({ keys: [{ current: true }] });
    // Nothing is sold here: both say what is missing.
    expect(await printed(ACCOUNT_EXAMPLES[2])).toMatch(
      /^({"error":"Billing not configured: [^}]+}){2}$/,
    );
  });

  it('scrape a list of pages as shown', async () => {
    expect(await paste(EXAMPLES[10])).toMatchObject({
      results: [
        { index: 0, ok: true, markdown: expect.stringContaining('Small site') },
        { index: 1, ok: true, url: site.url('/about') },
      ],
      summary: { total: 2, ok: 2, failed: 0 },
      creditsUsed: 2,
    });
    expect(await paste(JOB_EXAMPLES[7])).toMatchObject({
      results: [
        { index: 0, ok: true, statusCode: 200 },
        { index: 1, url: 'nope', ok: false, error: 'Invalid URL', code: 'invalid_url' },
        { index: 2, ok: true, statusCode: 200 },
      ],
      summary: { total: 3, ok: 2, failed: 1 },
      creditsUsed: 1,
    });
  });

  it('scrape a list as a job as shown', async () => {
    const accepted = await paste(JOB_EXAMPLES[8]);
    expect(accepted).toEqual({
      jobId: ID,
      status: 'queued',
      url: site.url('/'),
      total: 2,
      pages: 2,
      message: expect.stringMatching(/^Batch of 2 pages queued\. Poll GET \/v1\/jobs\//),
    });
    const jobId = String(accepted['jobId']);
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      type: 'batch',
      status: 'completed',
    });
    const pages = await service.client.results(jobId);
    expect(pages.map(({ index }) => index).sort()).toEqual([0, 1]);
  });

  it('make something new of stored pages as shown', async () => {
    const asked = site.totalRequests;
    const accepted = await paste(JOB_EXAMPLES[9]);
    expect(accepted).toEqual({
      jobId: ID,
      status: 'queued',
      url: site.url('/'),
      sourceJobId: crawlId,
      pages: 2,
      message: expect.stringMatching(
        /^Extraction from 2 stored pages queued\. Poll GET \/v1\/jobs\//,
      ),
    });
    const jobId = String(accepted['jobId']);
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      type: 'extract',
      status: 'completed',
      source_job_id: crawlId,
    });
    const pages = await service.client.results(jobId);
    expect(pages).toHaveLength(2);
    expect(pages.find(({ url }) => url === site.url('/'))).toMatchObject({
      markdown: expect.stringContaining('Small site'),
      listing: null,
    });
    expect(site.totalRequests).toBe(asked);
  });

  it('read results as shown', async () => {
    const lines = (await printed(JOB_EXAMPLES[10])).trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ url: site.url('/'), ok: true });
    expect(await paste(JOB_EXAMPLES[11])).toMatchObject({
      id: crawlId,
      status: 'completed',
      counts: { pending: 0, leased: 0, scraped: 6, failed: 0, cancelled: 0 },
      urls: [
        { state: 'scraped', kind: 'page', rung: 'plain', status_code: 200, depth: 0, parent: null },
        { state: 'scraped', depth: 1, parent: site.url('/') },
      ],
      next: expect.stringMatching(/^\d+$/),
    });
  });

  it('search stored pages as shown', async () => {
    const found = await paste(JOB_EXAMPLES[12]);
    expect(found).toMatchObject({
      id: crawlId,
      status: 'completed',
      query: '"small site" -windows',
      totalIsExact: true,
      next: null,
    });
    expect(found['results']).toContainEqual({
      url: site.url('/'),
      title: expect.stringContaining('Small site'),
      snippet: expect.stringContaining('Small site'),
      highlights: expect.arrayContaining([[expect.any(Number), expect.any(Number)]]),
      score: expect.any(Number),
      resultNo: expect.any(Number),
    });
  });

  it('follow a job as shown', async () => {
    const events = await printed(JOB_EXAMPLES[13]);
    expect(events).toMatch(/^retry: 2000\n\nevent: document\nid: 1\ndata: \{"url":/);
    expect(events).toContain('\n\nevent: status\ndata: {"id":');
    expect(events).toMatch(/event: end\nid: end\ndata: \{"status":"completed"\}\n\n$/);
  });

  it('save a web archive as shown', async () => {
    await printed(JOB_EXAMPLES[14]);
    const archive = gunzipSync(await readFile(path.join(folder, 'crawl.warc.gz'))).toString();
    expect(archive).toMatch(/^WARC\/1\.1\r\nWARC-Type: warcinfo\r\n/);
    expect(archive.match(/^WARC-Type: conversion\r$/gm)).toHaveLength(6);
  });

  it('show the secret of webhooks as shown', async () => {
    const first = await paste(EXAMPLES[13]);
    expect(first).toEqual({
      prefix: String(first['secret']).slice(0, 12),
      created_at: expect.any(String),
      previous: [],
      secret: expect.stringMatching(/^whsec_/),
    });
    const second = await paste(JOB_EXAMPLES[16]);
    expect(second).toMatchObject({ previous: [{ prefix: first['prefix'] }] });
    expect(second['secret']).not.toBe(first['secret']);
    expect(await paste(JOB_EXAMPLES[17])).toMatchObject({ error: 'http_status', status: 404 });
    expect(await paste(JOB_EXAMPLES[18])).toEqual({ deliveries: [], next: null });
  });

  it('send a request again as shown', async () => {
    const first = await paste(JOB_EXAMPLES[19]);
    expect(first).toMatchObject({ jobId: ID, status: 'queued' });
    expect(await paste(JOB_EXAMPLES[19])).toEqual(first);
  });

  it('answer questions from a site as the tutorial shows', async () => {
    site.serve({
      '/docs/install':
        '<!doctype html><title>Installing</title><main><h1>Installing</h1><p>One command installs it: run it in a shell, and wait until it ends.</p></main>',
    });
    const [crawl, search = ''] = ANSWERS;
    const { jobId } = (await paste(crawl)) as { readonly jobId: string };
    await service.client.waitForEnd(jobId);
    const { results } = await paste(search.replace('$ID', jobId));
    expect(results).toContainEqual(expect.objectContaining({ url: site.url('/docs/install') }));
  });

  it('watch prices as the tutorial shows', async () => {
    site.serve({
      '/sitemap.xml': `<urlset><url><loc>${site.url('/lamp')}</loc></url></urlset>`,
      '/lamp': lamp(19.9),
    });
    const [scrape, preview, create, run = '', runs = '', read = ''] = PRICES;
    expect(await paste(scrape)).toMatchObject({ formats: { product: { price: 19.9 } } });
    const row = { url: site.url('/lamp'), name: 'Harbour lamp', price_min: 19.9 };
    expect(await paste(preview)).toMatchObject({ sample: [row], estimatedRows: 1 });
    const { feedId } = (await paste(create)) as { readonly feedId: string };
    const follow = async (): Promise<void> => {
      await paste(run.replace('$FEED', feedId));
      const isDone = async (): Promise<boolean> =>
        !/"(?:queued|running)"/.test(await printed(runs.replace('$FEED', feedId)));
      await until(isDone, { what: 'the run to end' });
    };
    await follow();
    site.serve({ '/lamp': lamp(17.5) });
    await follow();
    const feed = (await paste(read.replace('$FEED', feedId))) as {
      readonly addresses: { readonly json: string };
    };
    const rows = await (await fetch(feed.addresses.json)).text();
    expect(rows).toContain('17.5');
  });

  it('list companies as the tutorial shows', async () => {
    const [search, enrich, preview, pull = '', results = ''] = COMPANIES;
    expect(await paste(search)).toMatchObject({ total: 1 });
    expect(await paste(enrich)).toMatchObject({ domain: expect.any(String) });
    const { jobId } = (await paste(preview)) as { readonly jobId: string };
    expect(await paste(pull.replace('$JOB', jobId))).toMatchObject({ status: 'completed' });
    await printed(results.replace('$JOB', jobId));
    expect(await readFile(path.join(folder, 'companies.csv'), 'utf8')).toMatch(/^domain,/);
  });

  // Last: it takes what the others have made.
  it('delete data as shown', async () => {
    const deletion = await paste(JOB_EXAMPLES[15]);
    expect(deletion).toEqual({
      deletionId: ID,
      status: 'running',
      requested_at: expect.any(String),
      completed_at: null,
      deleted: { jobs: 0, pages: 0, files: 0 },
    });
    const { client } = service;
    const isGone = async (): Promise<boolean> =>
      (await client.call('GET', `/v1/jobs/${crawlId}`)).status === 404;
    await until(isGone, { what: 'the job to be deleted' });
    const asked = `/v1/data/deletions/${String(deletion['deletionId'])}`;
    expect((await client.call('GET', asked)).body).toMatchObject({
      deletionId: deletion['deletionId'],
      status: 'running',
    });
  });
});
