import { fileOf } from '@app/testing';
import { MODES } from './deployment.js';
import { brandPage, BrandRun, link, sheet, slowSheet } from './brand-run.js';

interface Scraped {
  readonly formats: {
    readonly branding: {
      readonly colors?: { readonly primary?: string; readonly background?: string };
      readonly fonts?: readonly { readonly family: string }[];
      readonly brand_meta: { readonly partial: boolean; readonly reasons: readonly string[] };
    };
  };
  readonly html?: string;
}

const CSS = `body{background:#101820;font-family:"Acme Sans",sans-serif}
  .btn{background:#e4572e;color:#fff;padding:1em}`;
const BODY = '<button class="btn">Buy now</button>';

describe.each(MODES)('the branding format of a page whose style is linked, %s', (mode) => {
  let run: BrandRun;
  beforeAll(async () => {
    run = await BrandRun.start(mode);
  }, 120_000);
  afterEach(() => run?.closeSites());
  afterAll(() => run?.service.stop(), 60_000);

  const scrape = async (head: string, pages: Parameters<BrandRun['open']>[0]): Promise<Scraped> => {
    const page = fileOf(brandPage(head, BODY), { 'content-type': 'text/html; charset=utf-8' });
    const site = await run.open({ '/': page, ...pages });
    const { client } = run.service;
    const answer = await client.scrape({ url: site.url('/'), formats: ['branding'] });
    expect(answer.status).toBe(200);
    return answer.body as Scraped;
  };

  it('has its colours and fonts', async () => {
    const { formats, html } = await scrape(link('/a.css'), { '/a.css': sheet(CSS) });
    expect(formats.branding).toMatchObject({
      colors: { primary: '#e4572e', background: '#101820' },
      fonts: [{ family: 'Acme Sans' }],
      brand_meta: { partial: false, reasons: [] },
    });
    expect(html).toBeUndefined();
  }, 60_000);

  it('names a sheet that was too slow', async () => {
    const head = link('/a.css') + link('/slow.css');
    const pages = { '/a.css': sheet(CSS), '/slow.css': slowSheet('p{color:red}', 30_000) };
    const { formats } = await scrape(head, pages);
    expect(formats.branding).toMatchObject({
      colors: { primary: '#e4572e' },
      brand_meta: { partial: true, reasons: ['stylesheet_timeout'] },
    });
  }, 60_000);

  it('names the sheets beyond the largest number', async () => {
    const names = Array.from({ length: 41 }, (_, n) => `/s${n}.css`);
    const pages = Object.fromEntries(names.map((name) => [name, sheet(CSS)]));
    const { formats } = await scrape(names.map(link).join(''), pages);
    expect(formats.branding.brand_meta).toEqual({
      partial: true,
      reasons: ['stylesheet_count_cap'],
    });
  }, 60_000);
});
