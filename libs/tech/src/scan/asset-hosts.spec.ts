import { Deadline } from '@app/contracts';
import { loadBuiltInFingerprints } from '../load/built-in-fingerprints.js';
import type { ScanInput } from '../technology.js';
import { compileFingerprints } from './compile-fingerprints.js';
import { scanPage } from './scan-page.js';

const set = compileFingerprints(loadBuiltInFingerprints());

const page = (files: string): string =>
  `<!doctype html><html lang="en"><head><title>Static page</title><meta name="generator" content="Hugo 0.150.0"><link rel="stylesheet" href="/css/site.css"></head><body><main><h1>Static page of the chess club</h1><p>Games are played on Mondays in the hall behind the market.</p>${files}</main></body></html>`;

function found(files: string, input: Partial<ScanInput> = {}): string[] {
  const whole = {
    url: 'https://club.example.co.uk/',
    headers: {},
    cookies: {},
    html: page(files),
    ...input,
  };
  const { technologies } = scanPage(set, whole, { deadline: Deadline.after(60_000) });
  return technologies.map(({ name }) => name).sort();
}

const script = (src: string) => `<script src="${src}"></script>`;
const sheet = (href: string) => `<link rel="stylesheet" href="${href}">`;
const WORDPRESS = ['Hugo', 'MySQL', 'PHP', 'WordPress'];
const WIDGET = 'https://widgets.example.com';

describe('files of another site', () => {
  it.each<[string, string]>([
    ['a plugin of WordPress', script(`${WIDGET}/wp-content/plugins/badge/badge.js`)],
    ['a theme of WordPress', sheet(`${WIDGET}/wp-content/themes/x/style.css`)],
    ['a theme, without a scheme', sheet('//partner.example.com/wp-content/themes/x/style.css')],
    ['a part of Next.js', script(`${WIDGET}/_next/static/chunks/main-abc.js`)],
    ['a part of Nuxt.js', script(`${WIDGET}/_nuxt/entry.js`)],
    ['a script of Drupal', script(`${WIDGET}/core/misc/drupal.js`)],
    ['a style of Drupal', sheet(`${WIDGET}/sites/default/files/css/css_abc.css`)],
    ['a script of Magento', script(`${WIDGET}/js/mage/cookies.js`)],
    ['an extension of TYPO3', script(`${WIDGET}/typo3conf/ext/a/b.js`)],
    [
      'a picture and a link',
      `<img src="${WIDGET}/wp-content/uploads/a.png"><a href="${WIDGET}/wp-content/uploads/a.pdf">a</a>`,
    ],
    ['the site of a neighbour under one suffix', script('https://other.co.uk/wp-includes/js/a.js')],
    [
      'a user name like the host',
      script('https://club.example.co.uk@widgets.example.com/wp-includes/a.js'),
    ],
    [
      'half of the files of the page',
      script(`${WIDGET}/wp-includes/a.js`) +
        sheet(`${WIDGET}/wp-content/themes/a.css`) +
        script('/a.js'),
    ],
  ])('say nothing of the software of this one: %s', (_, files) => {
    expect(found(files)).toEqual(['Hugo']);
  });

  it('say nothing of it in the requests of a deep scan', () => {
    const requests = ['https://club.example.co.uk/', `${WIDGET}/wp-content/plugins/badge/badge.js`];
    expect(found('', { requests })).toEqual(['Hugo']);
  });

  it.each<[string, string, string[]]>([
    ['by a relative address', script('/wp-content/plugins/badge/badge.js'), WORDPRESS],
    [
      'by its own host',
      sheet('https://club.example.co.uk/wp-content/themes/x/style.css'),
      WORDPRESS,
    ],
    [
      'by a host of its domain',
      script('https://cdn.example.co.uk:8443/wp-includes/a.js'),
      WORDPRESS,
    ],
    [
      'by a host that serves most of its files',
      `${script('https://d1.assets.example.net/wp-includes/a.js')}${sheet('//d2.assets.example.net/wp-content/themes/a.css')}<img src=//d1.assets.example.net/a.png>`,
      WORDPRESS,
    ],
    [
      'by a host that its fingerprint names',
      script('https://cdn.shopify.com/s/files/1/1/t/1/assets/theme.js'),
      ['Hugo', 'Shopify'],
    ],
    [
      'as a library, wherever it comes from',
      script('https://libraries.example.com/jquery-3.7.0.min.js'),
      ['Hugo', 'jQuery'],
    ],
  ])('count %s', (_, files, expected) => {
    expect(found(files)).toEqual(expected);
  });
});
