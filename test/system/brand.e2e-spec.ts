import { randomUUID } from 'node:crypto';
import { adHocStatement, until } from '@app/testing';
import { findBusiness } from './find-business.js';
import { brandPage, BrandRun, endlessSheet, link, linked, sheet, times } from './brand-run.js';
import { MODES } from './deployment.js';
import type { Pages } from './map-run.js';

const MAX_SHEET_BYTES = 512 * 1_024;

/** CSS of so many characters, all of them ASCII. */
const padded = (chars: number, css = 'p{color:#0a0}'): string =>
  css + ' '.repeat(chars - css.length);
const inline = (css: string, body = ''): Pages => ({
  '/': brandPage(`<style>${css}</style>`, body),
});

const chain = (levels: number): Pages =>
  inline(
    `:root{--v0:#0a0;${times(levels - 1, (n) => `--v${n + 1}:var(--v${n})`).join(';')}}p{color:var(--v${levels - 1})}`,
  );

const jsonLd = (nodes: number): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@graph': times(nodes, (n) => ({ '@type': 'Thing', name: `${n}` })) })}</script>`;

describe.each(MODES)('POST /v1/brand, %s', (mode) => {
  let run: BrandRun;

  beforeAll(async () => {
    run = await BrandRun.start(mode);
  });
  afterAll(() => run?.service.stop());
  afterEach(() => run?.closeSites());

  it('answers with the profile of the specification, charges a credit and updates the graph', async () => {
    const { database } = run.service;
    // All sites are of one host, about which other specs have told the graph, too.
    const forget = `DELETE FROM businesses WHERE domain = '127.0.0.1'`;
    await database.query(adHocStatement(forget));
    const site = await run.open({});
    const { host } = new URL(site.url('/'));
    site.serve({
      '/': brandPage(
        `<title>Acme | Family Dentist</title><meta name="description" content="Dental care.">
        <link rel="manifest" href="/site.webmanifest"><link rel="icon" href="/icon.png">${link('/css/main.css')}
        <script type="application/ld+json">{"@type":"Dentist","name":"Acme Dental","sameAs":"https://www.linkedin.com/company/acme-dental"}</script>`,
        '<header><h1>Teeth</h1></header><a class="btn btn-primary" href="/x">Book</a>',
      ),
      '/css/main.css': sheet('@import "parts/base.css";.btn-primary{background:#c2185b}'),
      '/css/parts/base.css': sheet('body{font-family:Acme Sans,sans-serif}'),
      '/site.webmanifest': JSON.stringify({ icons: [{ src: '/512.png', sizes: '512x512' }] }),
    });
    const answer = await run.service.client.brand({ url: `http://${host}/some/page` });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        domain: '127.0.0.1',
        name: 'Acme Dental',
        description: 'Dental care.',
        logo: site.url('/512.png'),
        favicon: site.url('/icon.png'),
        colors: [{ hex: '#c2185b', rgb: [194, 24, 91], frequency: 20 }],
        fonts: ['Acme Sans'],
        socials: { linkedin: 'https://www.linkedin.com/company/acme-dental' },
        industry: { naics: '621210', title: 'Offices of Dentists', confidence: 0.95 },
        _confidence: 1,
        _provenance: {
          name: site.url('/'),
          description: site.url('/'),
          logo: site.url('/site.webmanifest'),
          favicon: site.url('/'),
          colors: site.url('/css/main.css'),
          fonts: site.url('/css/parts/base.css'),
          socials: site.url('/'),
          industry: site.url('/'),
        },
        _freshness: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        brand_meta: { partial: false, reasons: [] },
      },
    ]);
    expect(answer.headers.get('x-credits-consumed')).toBe('1');
    const { _freshness: freshness } = answer.body as { _freshness: string };
    // A slow database is written after the response.
    const found = await until(() => findBusiness(database, '127.0.0.1'), { what: 'the business' });
    expect(found).toMatchObject({
      business: {
        name: 'Acme Dental',
        industry: { naics: '621210', title: 'Offices of Dentists' },
      },
      freshness: new Date(freshness),
    });
  });

  describe('brand_meta', () => {
    it.each<[string, number, (size: number) => Pages]>([
      [
        'stylesheet_count_cap',
        40,
        (count) => linked(times(count, (n) => sheet(`.c${n}{color:red}`))),
      ],
      [
        'stylesheet_count_cap',
        39,
        (imports) => ({
          ...linked([sheet(times(imports, (n) => `@import "/i${n}";`).join(''))]),
          ...Object.fromEntries(times(imports, (n) => [`/i${n}`, sheet('')])),
        }),
      ],
      ['stylesheet_byte_cap', MAX_SHEET_BYTES, (bytes) => linked([sheet(padded(bytes))])],
      [
        'stylesheet_total_byte_cap',
        4 * MAX_SHEET_BYTES,
        (bytes) =>
          linked([
            ...times(4, () => sheet(padded(MAX_SHEET_BYTES))),
            sheet(' '.repeat(bytes - 4 * MAX_SHEET_BYTES)),
          ]),
      ],
      [
        'css_cap',
        3_000_000,
        (chars) =>
          linked(
            times(4, () => sheet(padded(MAX_SHEET_BYTES))),
            `<style>${padded(chars - 4 * MAX_SHEET_BYTES)}</style>`,
          ),
      ],
      [
        'var_budget',
        5_000,
        (count) => inline(':root{--a:#0a0}', '<i style="color:var(--a)">x</i>'.repeat(count)),
      ],
      ['var_depth_cap', 7, chain],
      ['css_value_cap', 2_048, (chars) => inline(`p{background:${'x'.repeat(chars)}}`)],
      ['css_value_cap', 500, (chars) => linked([sheet(`:root{--x:${'x'.repeat(chars)}}`)])],
      [
        'button_scan_cap',
        500,
        (count) => inline('', '<a href="x" style="color:#0a0">x</a>'.repeat(count)),
      ],
      ['jsonld_node_cap', 500, (nodes) => ({ '/': brandPage(jsonLd(nodes)) })],
    ])('%s: absent at %i, named beyond', async (reason, edge, pages) => {
      expect(await run.reasons(pages(edge))).toEqual([]);
      expect(await run.reasons(pages(edge + 1))).toEqual([reason]);
    });
  });

  describe('hostile sites', () => {
    it('reads endless sheets to their cap and is done', async () => {
      expect(await run.reasons(linked(times(45, () => endlessSheet)))).toEqual([
        'stylesheet_count_cap',
        'stylesheet_byte_cap',
        'stylesheet_total_byte_cap',
      ]);
    });

    it.each<[string, string, readonly string[]]>([
      [
        'variables in a circle',
        ':root{--a:var(--b);--b:var(--a)}p{color:var(--a)}',
        ['var_depth_cap'],
      ],
      [
        'variables that multiply',
        `:root{${times(5, (n) => `--v${n}:${`var(--v${n + 1})`.repeat(20)}`).join(';')};--v5:}p{color:var(--v0)}`,
        ['var_budget'],
      ],
      ['braces without end', '{'.repeat(400_000), []],
      ['errors without end', `a{${'b:c!d!;'.repeat(50_000)}}`, ['css_cap']],
    ])('reads a page of %s', async (_, css, reasons) => {
      expect(
        await run.reasons(
          linked([sheet(css.slice(0, MAX_SHEET_BYTES))], '<style>a{color:#0a0}</style>'),
        ),
      ).toEqual(reasons);
    });

    it('asks no private address for a sheet, an import or a manifest, and reads the rest', async () => {
      const head = `${link('http://127.0.0.2:9/a.css')}${link('http://10.0.0.1/a.css')}${link('http://169.254.169.254/latest')}${link('/own.css')}<link rel="manifest" href="http://10.0.0.1/m.json">`;
      const site = await run.open({
        '/': brandPage(head),
        '/own.css': sheet('@import "http://192.168.0.1/x.css";p{color:#0a0}'),
      });
      const { colors, brand_meta: meta } = await run.read(site);
      expect([colors[0]?.hex, meta.reasons]).toEqual(['#00aa00', []]);
    });

    it('follows imports in a circle once', async () => {
      const site = await run.open({
        ...linked([sheet('@import "/1.css";p{color:#0a0}')]),
        '/1.css': sheet('@import "/0.css";p{color:#a00}'),
      });
      expect((await run.read(site)).colors.map(({ hex }) => hex)).toEqual(['#00aa00']);
      expect([site.count('/0.css'), site.count('/1.css')]).toEqual([1, 1]);
    });

    it('does not read an error page as a sheet', async () => {
      const site = await run.open({
        ...linked([sheet('p{color:#0a0}')]),
        '/': brandPage(`${link('/gone.css')}${link('/page.css')}${link('/0.css')}`),
        '/page.css': '<html>p{color:#a00}</html>',
      });
      expect((await run.read(site)).colors.map(({ hex }) => hex)).toEqual(['#00aa00']);
    });
  });

  describe('refusals', () => {
    it.each<[string, unknown, number, unknown]>([
      ['no domain', {}, 400, '`domain` is required'],
      ['an empty domain', { domain: ' ' }, 400, '`domain` is required'],
      ['a private target', { domain: 'http://10.0.0.1/' }, 400, 'Blocked URL: http://10.0.0.1/'],
      ['no address', { domain: 'http://' }, 400, 'Invalid URL'],
      [
        'an unknown field',
        { domain: 'a.example', deep: true },
        400,
        expect.stringContaining('`deep`'),
      ],
    ])('answers %s by its text', async (_, body, status, error) => {
      const answer = await run.service.client.brand(body);
      expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ error })]);
      expect(answer.headers.get('x-credits-consumed')).toBeNull();
    });

    it('answers 400 for a site that cannot be reached, or answers with an error', async () => {
      const site = await run.open({});
      const missing = await run.ask(site);
      expect([missing.status, missing.body]).toEqual([
        400,
        expect.objectContaining({ ok: false, error: expect.stringContaining('404') }),
      ]);
      await site.close();
      const gone = await run.ask(site);
      expect([gone.status, gone.body]).toEqual([
        400,
        expect.objectContaining({ ok: false, error: expect.stringMatching(/^Fetch failed/) }),
      ]);
    });

    it('answers 400 where robots.txt forbids the homepage', async () => {
      const site = await run.open({
        '/robots.txt': 'User-agent: *\nDisallow: /',
        '/': brandPage(''),
      });
      const answer = await run.ask(site);
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ error: expect.stringContaining('robots.txt') }),
      ]);
    });

    it('answers 401 without a key', async () => {
      const answer = await fetch(`${run.service.url}/v1/brand`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"domain":"a.example"}',
      });
      expect(answer.status).toBe(401);
    });
  });

  it('charges nothing for a page without brand data', async () => {
    const answer = await run.ask(await run.open({ '/': brandPage('') }));
    expect(answer.headers.get('x-credits-consumed')).toBe('0');
    expect(answer.body).toMatchObject({
      colors: [],
      fonts: [],
      socials: {},
      _confidence: 0.4,
      _provenance: {},
    });
  });

  it('replays the first response for the same Idempotency-Key, and reads once', async () => {
    const site = await run.open(inline('p{color:#0a0}'));
    const headers = {
      'content-type': 'application/json',
      'x-api-key': run.service.key,
      'idempotency-key': randomUUID(),
    };
    const send = async () => {
      const body = JSON.stringify({ domain: site.url('/') });
      const response = await fetch(`${run.service.url}/v1/brand`, {
        method: 'POST',
        headers,
        body,
      });
      return [response.status, response.headers.get('idempotent-replayed'), await response.text()];
    };
    const [first, second] = [await send(), await send()];
    expect([first[0], second[0], second[1], second[2]]).toEqual([200, 200, 'true', first[2]]);
    expect(site.count('/')).toBe(1);
  });

  describe('of a scrape', () => {
    const css = `body{background:#101820;font-family:"Acme Sans",sans-serif}
      .btn{background:#e4572e;color:#fff;padding:1em}`;
    const button = '<button class="btn">Buy now</button>';

    it('has the colours and fonts of the sheets', async () => {
      const pages = { '/': brandPage(link('/a.css'), button), '/a.css': sheet(css) };
      expect(await run.branding(pages)).toMatchObject({
        colors: { primary: '#e4572e', background: '#101820' },
        fonts: [{ family: 'Acme Sans' }],
        brand_meta: { partial: false, reasons: [] },
      });
    });

    it('names the sheets beyond the largest number', async () => {
      const pages = linked(times(41, () => sheet(css)));
      expect((await run.branding(pages)).brand_meta).toEqual({
        partial: true,
        reasons: ['stylesheet_count_cap'],
      });
    });
  });

  it('answers although the graph cannot be written', async () => {
    const { database } = run.service;
    await database.query({ name: 'hide_graph', text: 'ALTER TABLE businesses RENAME TO hidden' });
    try {
      expect((await run.ask(await run.open(inline('p{color:#0a0}')))).status).toBe(200);
      const said = 'a reading was not written to the graph';
      await until(() => run.service.apiLog(({ msg }) => msg === said).length > 0, { what: said });
    } finally {
      await database.query({ name: 'show_graph', text: 'ALTER TABLE hidden RENAME TO businesses' });
    }
  });
});
