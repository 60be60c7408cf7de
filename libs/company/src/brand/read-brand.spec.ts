import { readablePage } from '@app/content';
import { readBrand, type BrandResources, type PageBrand } from './read-brand.js';
import { HOSTILE_BRAND_PAGES } from '../fixtures/hostile-brand-pages.js';

const URL = 'https://www.acme.example/';

interface Given extends Partial<BrandResources> {
  readonly css?: Readonly<Record<string, string>>;
}

function read(html: string, { css = {}, manifest }: Given = {}): PageBrand {
  const sheets = new Map(Object.entries(css).map(([url, text]) => [url, { url, css: text }]));
  return readBrand(readablePage(html, URL), { sheets, ...(manifest ? { manifest } : {}) });
}

const style = (css: string, body = '<p>Text</p>'): string =>
  `<!doctype html><html><head><style>${css}</style></head><body>${body}</body></html>`;

describe('readBrand', () => {
  it('reads all brand data of a page and its sheets', () => {
    const css =
      'body{font-family:Acme Sans,sans-serif;color:#222}a{color:#c2185b}.btn{background:#c2185b}';
    const html = `<html><head><title>Acme Dental | Family Dentist</title><meta name="description" content="Dental care in Ulm.">
      <link rel="stylesheet" href="/main.css"><link rel="icon" href="/small.png" sizes="16x16"><link rel="icon" href="/large.png" sizes="64x64">
      <script type="application/ld+json">{"@type":"Dentist","name":"Acme Dental","logo":"/logo.svg","sameAs":["https://www.linkedin.com/company/acme-dental"]}</script></head>
      <body><header><a href="/">Acme</a></header><h1>Teeth</h1><a class="btn" href="/x">Book</a></body></html>`;
    expect(read(html, { css: { 'https://www.acme.example/main.css': css } })).toEqual({
      domain: 'acme.example',
      name: 'Acme Dental',
      description: 'Dental care in Ulm.',
      logo: 'https://www.acme.example/logo.svg',
      favicon: 'https://www.acme.example/large.png',
      colors: [
        { hex: '#c2185b', rgb: [194, 24, 91], frequency: expect.any(Number) },
        { hex: '#222222', rgb: [34, 34, 34], frequency: expect.any(Number) },
      ],
      fonts: ['Acme Sans'],
      socials: { linkedin: 'https://www.linkedin.com/company/acme-dental' },
      industry: { naics: '621210', title: 'Offices of Dentists', confidence: 0.95 },
      confidence: 1,
      provenance: {
        name: URL,
        description: URL,
        logo: URL,
        favicon: URL,
        colors: 'https://www.acme.example/main.css',
        fonts: 'https://www.acme.example/main.css',
        socials: URL,
        industry: URL,
      },
      reasons: [],
    });
  });

  it('leaves out values that a page lacks, and has no confidence without evidence', () => {
    expect(read('<p>Hello</p>')).toEqual({
      domain: 'acme.example',
      colors: [],
      fonts: [],
      socials: {},
      confidence: 0.4,
      provenance: {},
      reasons: [],
    });
  });

  it('returns the same for the same page', () => {
    const html = style('a{color:red}b{color:#00f}', '<a href=x>x</a><b>y</b><a href=z>z</a>');
    expect(JSON.stringify(read(html))).toBe(JSON.stringify(read(html)));
  });

  it.each<[string, string, readonly string[]]>([
    ['applied', 'body{font-family:Used}@font-face{font-family:Declared;src:url(x)}', ['Used']],
    [
      'of headings after those of the text',
      'body{font-family:Text}h2{font-family:Head}',
      ['Text', 'Head'],
    ],
    [
      'but not those of the machine',
      'body{font-family:system-ui,Roboto}h2{font-family:Head}',
      ['Head'],
    ],
    ['but not of icons', 'body{font-family:Text}i{font-family:"Font Awesome 6"}', ['Text']],
    ['but not of code', 'code{font-family:Mono}', []],
    [
      'but not of what is hidden',
      'aside{display:none;font-family:Hidden}body{font-family:Text}',
      ['Text'],
    ],
    ['by variables', ':root{--f:"Var Font",serif}body{font-family:var(--f)}', ['Var Font']],
  ])('names fonts %s', (_, css, fonts) => {
    const body = `<p>${'A long text. '.repeat(10)}</p><h2>Head</h2><i>x</i><code>y</code><aside>Hidden</aside>`;
    expect(read(style(css, body)).fonts).toEqual(fonts);
  });

  it.each<[string, string, string, string]>([
    [
      'a main button before links',
      '.btn-primary{background:#0a0}a{color:#00a}',
      '<a class="btn-primary btn" href=x>x</a><a href=y>y</a><a href=z>z</a>',
      '#00aa00',
    ],
    [
      'a head before links',
      'header{background:#0a0}a{color:#00a}',
      '<header>x</header><a href=y>y</a>',
      '#00aa00',
    ],
    [
      'links before text',
      'p{color:#a00}a{color:#00a}',
      '<p>x</p><p>x</p><a href=y>y</a>',
      '#0000aa',
    ],
    [
      'links before a grey head',
      'header{background:#111}a{color:#a00}',
      '<header>x</header><a href=x>x</a>',
      '#aa0000',
    ],
    [
      'greys where there is nothing else',
      'header{background:#111}',
      '<header>x</header>',
      '#111111',
    ],
    [
      'a color by a variable of an ancestor',
      'nav{--c:#0a0}a{color:var(--c)}',
      '<nav><ul><li><a href=x>x</a></ul></nav>',
      '#00aa00',
    ],
    [
      'no color of what is hidden',
      '.modal{display:none;background:#a00}a{color:#00a}',
      '<div class=modal>x<p>y</div><a href=x>x</a>',
      '#0000aa',
    ],
    [
      'no color that no element has',
      '.unused{color:#a00}a{color:#00a}',
      '<a href=x>x</a>',
      '#0000aa',
    ],
    [
      'no color for the dark',
      '@media (prefers-color-scheme:dark){a{color:#a00}}a{color:#00a}',
      '<a href=x>x</a>',
      '#0000aa',
    ],
    [
      'the fill of a logo',
      'p{color:#00a}',
      '<header><svg><path fill="#0a0"/></svg></header><p>x</p>',
      '#00aa00',
    ],
    ['attributes of the nineties', '', '<table bgcolor="#0a0"><tr><td>x</table>', '#00aa00'],
  ])('puts first %s', (_, css, body, hex) => {
    expect(read(style(css, body)).colors[0]?.hex).toBe(hex);
  });

  it('takes the theme color for the brand, and at most three greys', () => {
    const greys = Array.from({ length: 9 }, (_, n) => `<p style="color:#${n}${n}${n}">x</p>`).join(
      '',
    );
    const { colors } = read(
      `<meta name="theme-color" content="#ff6600"><a href=x style="color:#00a">x</a>${greys}`,
    );
    expect(colors.map(({ hex }) => hex).slice(0, 2)).toEqual(['#ff6600', '#0000aa']);
    expect(colors).toHaveLength(5);
  });

  it('ranks logos: JSON-LD, the picture in the head, the manifest, icons', () => {
    const manifest = {
      url: 'https://www.acme.example/site.webmanifest',
      text: JSON.stringify({
        icons: [
          { src: 'i/192.png', sizes: '192x192' },
          { src: 'i/512.png', sizes: '512x512' },
          { src: 'm.png', sizes: '1024x1024', purpose: 'maskable' },
        ],
      }),
    };
    const icon = '<link rel="apple-touch-icon" href="/touch.png">';
    const head = '<header><a href="/"><img src="/logo.png" alt="Acme logo"></a></header>';
    const json =
      '<script type="application/ld+json">{"@type":"Organization","logo":{"url":"/stated.png"}}</script>';
    const at = (path: string): string => `https://www.acme.example${path}`;
    expect(read(json + icon + head, { manifest }).logo).toBe(at('/stated.png'));
    expect(read(icon + head, { manifest }).logo).toBe(at('/logo.png'));
    const third = read(icon, { manifest });
    expect([third.logo, third.provenance.logo]).toEqual([at('/i/512.png'), manifest.url]);
    const fourth = read(icon);
    expect([fourth.logo, fourth.favicon, fourth.provenance.logo]).toEqual([
      at('/touch.png'),
      at('/touch.png'),
      URL,
    ]);
  });

  it.each<[string, string, string | undefined]>([
    ['the part of a title that the domain is made of', '<title>Welcome | Acme</title>', 'Acme'],
    [
      'what meta elements call the site',
      '<title>x</title><meta property="og:site_name" content="Acme Inc.">',
      'Acme Inc.',
    ],
    ['a title that is only a name', '<title>Zenith Works</title>', 'Zenith Works'],
    ['nothing for a headline', '<title>Home</title>', undefined],
  ])('names a company by %s', (_, head, name) => {
    expect(read(`<head>${head}</head>`).name).toBe(name);
  });

  it('reads imports before the sheet that imports them, and cycles once', () => {
    const css = {
      'https://www.acme.example/a.css': '@import "b.css";a{color:#00a}',
      'https://www.acme.example/b.css': '@import "a.css";a{color:#a00}',
    };
    const brand = read('<link rel=stylesheet href=/a.css><a href=x>x</a>', { css });
    expect(brand.colors.map(({ hex }) => hex)).toEqual(['#0000aa']);
  });

  it('takes sheets that scripts switch on, and none for print', () => {
    const css = Object.fromEntries(
      ['1', '2', '3', '4'].map((n) => [`https://www.acme.example/${n}`, `.c${n}{color:#0${n}0}`]),
    );
    const links =
      '<link rel=stylesheet media=print onload="this.media=\'all\'" href=1><link rel=preload as=style onload="this.rel=\'stylesheet\'" href=2><link rel=stylesheet media=print href=3><link rel="alternate stylesheet" href=4>';
    const body = [1, 2, 3, 4].map((n) => `<a href=x class=c${n}>x</a>`).join('');
    expect(
      read(links + body, { css })
        .colors.map(({ hex }) => hex)
        .toSorted(),
    ).toEqual(['#001100', '#002200']);
  });
});

describe('the caps of a brand', () => {
  const nodes = (count: number): string =>
    `<script type="application/ld+json">${JSON.stringify({ '@graph': Array.from({ length: count }, (_, n) => ({ '@type': 'Thing', name: `${n}` })) })}</script>`;
  const chain = (levels: number): string =>
    style(
      `:root{--v0:#0a0;${Array.from({ length: levels - 1 }, (_, n) => `--v${n + 1}:var(--v${n})`).join(';')}}p{color:var(--v${levels - 1})}`,
    );
  const uses = (count: number): string =>
    style(':root{--a:#0a0}', '<p style="color:var(--a)">x</p>'.repeat(count));
  const buttons = (count: number): string => '<a href=x style="color:#0a0">x</a>'.repeat(count);
  const padded = (chars: number): string => {
    const css = 'p{color:#0a0}';
    return style(css + ' '.repeat(chars - css.length));
  };

  it.each<[string, (size: number) => string, number]>([
    ['css_cap', padded, 3_000_000],
    ['var_budget', uses, 5_000],
    ['var_depth_cap', chain, 7],
    ['css_value_cap', (chars) => style(`p{background:${'x'.repeat(chars)}}`), 2_048],
    ['css_value_cap', (chars) => style(`:root{--x:${'x'.repeat(chars)}}`), 500],
    ['css_value_cap', (chars) => `<p style="--x:${'x'.repeat(chars)}">x`, 500],
    [
      'css_value_cap',
      (chars) =>
        style(
          `:root{--x:${'x'.repeat(400)}}p{color:${'var(--x)'.repeat(5)}${'y'.repeat(chars - 2_000)}}`,
        ),
      2_048,
    ],
    ['button_scan_cap', buttons, 500],
    ['jsonld_node_cap', nodes, 500],
  ])('%s is named beyond its edge, and only there', (reason, make, edge) => {
    expect(read(make(edge)).reasons).toEqual([]);
    expect(read(make(edge + 1)).reasons).toEqual([reason]);
  });

  it('are named in the order of the specification', () => {
    const html = nodes(501) + buttons(501) + style(`:root{--x:${'x'.repeat(501)}}`);
    expect(read(html).reasons).toEqual(['css_value_cap', 'button_scan_cap', 'jsonld_node_cap']);
  });

  it('hold for variables in a circle', () => {
    expect(read(style(':root{--a:var(--b);--b:var(--a)}p{color:var(--a)}')).reasons).toEqual([
      'var_depth_cap',
    ]);
  });
});

describe('hostile pages', () => {
  it.each(Object.entries(HOSTILE_BRAND_PAGES))('%s: read', (_, htmlOf) => {
    expect(read(htmlOf(2_000)).domain).toBe('acme.example');
  });
});
