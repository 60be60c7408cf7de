import { startFixtureSite, type FixtureSite } from '@app/testing';
import { deploy, MODES, PATIENT_ENV, type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import type { ScrapeBody } from './trap-run.js';

const MENU = `<header><nav>${'<a href="/p">Section</a> '.repeat(10)}</nav></header>`;
const INTRO =
  'All prices of the yard in one place, for members and guests, valid from the first of May. ';
const FILL =
  'fetch("/p.json").then(r=>r.json()).then(a=>{document.getElementById("rows").innerHTML=a.map(r=>"<p>"+r+"</p>").join("")})';

const pageOf = (main: string): string =>
  `<!doctype html><html lang="en"><title>Prices</title>${MENU}<main><h1>Prices</h1>${main}</main></html>`;

/** Each has a heading, a menu or an introduction, and no prices until its script runs. */
const FILLED: Readonly<Record<string, string>> = {
  '/loading': pageOf(`<div id="rows">Loading…</div><script>${FILL}</script>`),
  '/file': pageOf('<div id="rows"></div><script src="/prices.js" defer></script>'),
  '/table': pageOf(
    `<p>${INTRO}</p><table><thead><tr><th>Service</th><th>Price</th></tr></thead><tbody id="rows"></tbody></table>` +
      `<script>${FILL.replaceAll('<p>', '<tr><td>').replaceAll('</p>', '</td></tr>')}</script>`,
  ),
  '/element': pageOf(
    '<price-table id="rows"></price-table><script type="module" src="/prices.js"></script>',
  ),
  '/frame': pageOf('<iframe src="/inside" width="800" height="600"></iframe>'),
};

const SITE: Parameters<FixtureSite['serve']>[0] = {
  ...FILLED,
  '/inside': '<!doctype html><p>Winter storage 420</p>',
  '/p.json': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('["Lift out 180","Winter storage 420"]'),
  '/prices.js': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(FILL),
  '/quiet.js': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end('1'),
};

/** Whole: what is empty there stays empty. */
const wholePage = (n: number): string =>
  pageOf(`<p>${n} ${INTRO.repeat(4)}</p><div id="offer"></div><script src="/quiet.js"></script>`);

describe.each(MODES)('pages whose content a script brings beside a heading, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;
  let hosts = 0;

  beforeAll(async () => {
    service = await share(mode);
  });
  afterAll(() => service?.stop());
  // A host of its own for each case: what is learnt of one decides for its other pages.
  beforeEach(async () => {
    site = await startFixtureSite({ host: `127.9.${mode === 'cluster' ? 40 : 41}.${++hosts}` });
    site.serve({
      ...SITE,
      '/boats/1': wholePage(1),
      '/boats/2': wholePage(2),
      '/start': '<p>Two pages are linked here.</p><a href="/loading">a</a>',
    });
  });
  afterEach(() => site.close());

  const scrape = async (path: string): Promise<ScrapeBody> =>
    (await service.client.scrape({ url: site.url(path) })).body as ScrapeBody;
  const rungsOf = ({ cascade }: ScrapeBody): string[] => cascade.attempts.map(({ rung }) => rung);

  it.each(Object.keys(FILLED))('are rendered by themselves: %s', async (path) => {
    const body = await scrape(path);
    expect(rungsOf(body)).toEqual(['plain', 'headless']);
    expect(body.markdown).toContain('Winter storage 420');
    expect(body.partial ?? false).toBe(false);
  });

  it('cost nothing where they say only that they need scripts, rendered as well', async () => {
    const notice = '<p>You need to enable JavaScript to run this app.</p>';
    site.serve({ '/notice': `${notice}<script src="/quiet.js"></script>` });
    const { body, headers } = await service.client.scrape({ url: site.url('/notice') });
    expect(body).toMatchObject({ ok: true, partial: true, partial_reason: 'js_shell' });
    expect(rungsOf(body as ScrapeBody)).toEqual(['plain', 'headless']);
    expect(headers.get('x-credits-consumed')).toBe('0');
  });

  it('are rendered in a crawl', async () => {
    const { jobId } = await service.client.crawl({
      url: site.url('/start'),
      limit: 2,
      allowBackwardLinks: true,
    });
    await service.client.waitForEnd(jobId);
    const pages = await service.client.results(jobId);
    const page = pages.find(({ url }) => url.endsWith('/loading'));
    expect(page?.markdown).toContain('Winter storage 420');
  });

  it('are not rendered where that added nothing to a page of their shape', async () => {
    expect(rungsOf(await scrape('/boats/1'))).toEqual(['plain', 'headless']);
    const second = await scrape('/boats/2');
    expect(rungsOf(second)).toEqual(['plain']);
    expect(second.partial ?? false).toBe(false);
  });
});

describe('pages whose content a script brings, without a browser', () => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    service = await deploy('cluster', { env: { ...PATIENT_ENV, CHROMIUM_PATH: '' } });
    site = await startFixtureSite({ host: '127.9.42.1' });
    site.serve(SITE);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  it.each(['/loading', '/table'])(
    'are partial with their reason, and cost nothing: %s',
    async (path) => {
      const { status, body, headers } = await service.client.scrape({ url: site.url(path) });
      expect([status, body]).toEqual([200, expect.objectContaining({ ok: true, partial: true })]);
      expect(body).toMatchObject({ partial_reason: 'js_shell' });
      expect(headers.get('x-credits-consumed')).toBe('0');
    },
  );
});
