import { Deadline } from '@app/contracts';
import type { ScanInput } from '../technology.js';
import type { Fingerprint } from '../fingerprint.js';
import { compileFingerprints } from './compile-fingerprints.js';
import { scanPage, type ScanOutcome } from './scan-page.js';

const EMPTY: ScanInput = { url: 'https://site.test/', headers: {}, cookies: {}, html: '' };

function scan(
  marks: Omit<Fingerprint, 'name' | 'category'>,
  input: Partial<ScanInput>,
  deadline = Deadline.after(60_000),
): ScanOutcome {
  const set = compileFingerprints([{ name: 'X', category: 'Any', ...marks }]);
  expect(set.problems).toEqual([]);
  return scanPage(set, { ...EMPTY, ...input }, { deadline });
}

/** `yes 1.2` when it was found with that version. */
function verdict({ technologies: [found] }: ScanOutcome): string {
  if (found === undefined) return 'no';
  return ['yes', found.confidence === 1 ? '' : found.confidence, found.version ?? '']
    .join(' ')
    .replace(/ +/g, ' ')
    .trim();
}

describe('scanPage', () => {
  it.each<[string, Omit<Fingerprint, 'name' | 'category'>, Partial<ScanInput>, string]>([
    [
      'a header',
      { headers: { 'x-powered-by': 'PHP(?:/([\\d.]+))?\\;version:\\1' } },
      { headers: { 'x-powered-by': ['Express', 'php/8.3'] } },
      'yes 8.3',
    ],
    ['that a header is there', { headers: { 'X-Id': '' } }, { headers: { 'x-id': [''] } }, 'yes'],
    ['not another header', { headers: { server: 'nginx' } }, { headers: { via: ['nginx'] } }, 'no'],
    ['a cookie', { cookies: { session: '^s%3A' } }, { cookies: { session: 's%3Aabc' } }, 'yes'],
    [
      'a cookie by its beginning',
      { cookies: { 'wp_*': '' } },
      { cookies: { wp_settings: '1' } },
      'yes',
    ],
    ['no cookie of other case', { cookies: { session: '' } }, { cookies: { Session: '1' } }, 'no'],
    [
      'a meta',
      { meta: { generator: 'WordPress ([\\d.]+)\\;version:\\1' } },
      { html: '<META NAME="Generator" CONTENT="wordpress 6.5">' },
      'yes 6.5',
    ],
    [
      'a meta by property',
      { meta: { 'og:x': '' } },
      { html: '<meta property="og:x" content="">' },
      'yes',
    ],
    [
      'the second of two metas',
      { meta: { generator: 'Two' } },
      { html: '<meta name=generator content=One><meta name=generator content=Two>' },
      'yes',
    ],
    [
      'the address of a script',
      { scriptSrc: 'jquery-([\\d.]+)(?:\\.min)?\\.js\\;version:\\1' },
      { html: '<script src="/js/jquery-3.7.1.min.js?x=1&amp;y=2"></script>' },
      'yes 3.7.1',
    ],
    ['no address of an image', { scriptSrc: 'jquery' }, { html: '<img src="/jquery.png">' }, 'no'],
    [
      'an inline script',
      { scripts: 'window\\.vendor\\s*=' },
      { html: '<script>window.vendor = {}</script>' },
      'yes',
    ],
    [
      'no script in a comment',
      { scripts: 'vendor' },
      { html: '<!-- <script>vendor</script> -->' },
      'no',
    ],
    [
      'the source',
      { html: '<!-- made by vendor ([\\d.]+)\\;version:\\1' },
      { html: '<p><!-- made by Vendor 2.1 --></p>' },
      'yes 2.1',
    ],
    ['a style', { css: '\\.vendor-grid' }, { html: '<style>.vendor-grid{}</style>' }, 'yes'],
    [
      'the address',
      { url: '^https://[^/]+\\.vendor\\.app' },
      { url: 'https://shop.vendor.app/x' },
      'yes',
    ],
    [
      'a request',
      { network: 'api\\.vendor\\.com/v(\\d+)\\;version:\\1' },
      { requests: ['https://x.test/', 'https://api.vendor.com/v3/e'] },
      'yes 3',
    ],
    [
      'a global',
      { js: { 'V.version': '([\\d.]+)\\;version:\\1' } },
      { globals: { 'V.version': '1.2' } },
      'yes 1.2',
    ],
    ['that a global is there', { js: { V: '' } }, { globals: { V: '' } }, 'yes'],
    [
      'an element',
      { dom: ['#app[data-v-app]'] },
      { html: '<div id="app" data-v-app></div>' },
      'yes',
    ],
    [
      'an element half',
      { dom: ['#app\\;confidence:30'] },
      { html: '<div id="app"></div>' },
      'yes 0.3',
    ],
    [
      'an attribute of an element',
      { dom: { script: { attributes: { src: 'v/([\\d.]+)\\;version:\\1' } } } },
      { html: '<script src="/v/7.2/x.js"></script>' },
      'yes 7.2',
    ],
    [
      'no missing attribute',
      { dom: { script: { attributes: { src: '' } } } },
      { html: '<script></script>' },
      'no',
    ],
    [
      'the text of an element',
      { dom: { footer: { text: 'powered by vendor (\\d+)\\;version:\\1' } } },
      { html: '<footer>Powered <b>by</b> vendor 4</footer>' },
      'yes 4',
    ],
    [
      'no text behind an element',
      { dom: { footer: { text: 'vendor' } } },
      { html: '<footer>x</footer>vendor' },
      'no',
    ],
    [
      'the text of a script element',
      { dom: { 'script#data': { text: '"build":"(\\d+)"\\;version:\\1' } } },
      { html: '<script id="data">{"build":"42"}</script>' },
      'yes 42',
    ],
    [
      'two halves',
      { html: ['vendor\\;confidence:50'], url: 'site\\;confidence:30' },
      { html: 'vendor vendor' },
      'yes 0.8',
    ],
    [
      'no more than all',
      { html: ['vendor\\;confidence:60'], url: 'site\\;confidence:60' },
      { html: 'vendor' },
      'yes',
    ],
    [
      'the longest version',
      { scriptSrc: 'v-([\\d.]+)\\.js\\;version:\\1', html: 'Vendor v(\\d)\\;version:\\1' },
      { html: '<script src=v-3.1.4.js></script><!-- Vendor v3 -->' },
      'yes 3.1.4',
    ],
    [
      'a mark once, however often it is met',
      { scriptSrc: 'v(?:-([\\d.]+))?\\.js\\;version:\\1\\;confidence:40' },
      { html: '<script src=v.js></script><script src=v.js></script>' },
      'yes 0.4',
    ],
    [
      'a version that comes later',
      { scriptSrc: 'v(?:-([\\d.]+))?\\.js\\;version:\\1' },
      { html: '<script src=v.js></script><script src=v-2.0.js></script>' },
      'yes 2.0',
    ],
  ])('sees %s', (_, marks, input, expected) => {
    expect(verdict(scan(marks, input))).toBe(expected);
  });

  it('returns the same result for the same page every time', () => {
    const set = compileFingerprints(
      ['B', 'A', 'C'].map((name) => ({
        name,
        category: 'Any',
        html: `vendor-${name}`,
        implies: ['A'],
      })),
    );
    const input = { ...EMPTY, html: 'vendor-c vendor-b '.repeat(500) };
    const limits = { deadline: Deadline.after(60_000) };
    const first = scanPage(set, input, limits);
    expect(first.technologies.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(scanPage(set, input, limits)).toEqual(first);
  });

  it('reports time_budget when the deadline passed before every fingerprint was tried', () => {
    let nowMs = 0;
    const deadline = Deadline.after(50, () => nowMs++);
    const html = Array.from(
      { length: 100 },
      (_, at) => `<script src=/vendor-${at}.js></script>`,
    ).join('');
    const set = compileFingerprints(
      Array.from({ length: 100 }, (_, index) => ({
        name: `N${index}`,
        category: 'Any',
        scriptSrc: `vendor-${index}\\.js`,
      })),
    );
    const { technologies, reasons } = scanPage(set, { ...EMPTY, html }, { deadline });
    expect(reasons).toEqual(['time_budget']);
    expect(technologies.length).toBeGreaterThan(5);
    expect(technologies.length).toBeLessThan(60);
    expect(scanPage(set, { ...EMPTY, html }, { deadline: Deadline.after(60_000) })).toMatchObject({
      reasons: [],
      technologies: { length: 100 },
    });
  });

  it('stops reading tags when the deadline passes on the way', () => {
    let nowMs = 0;
    const deadline = Deadline.after(10, () => nowMs++);
    const outcome = scan(
      { dom: ['#vendor'] },
      { html: '<b>'.repeat(20_000) + '<i id=vendor>' },
      deadline,
    );
    expect(outcome.reasons).toContain('time_budget');
    expect(verdict(outcome)).toBe('no');
  });

  it('leaves out patterns that do not compile, and names them', () => {
    const set = compileFingerprints([
      {
        name: 'X',
        category: 'Any',
        html: ['fo(', 'vendor'],
        dom: ['a:hover', '#ok'],
        headers: { server: '*' },
      },
    ]);
    expect(set.problems).toEqual([
      "X: headers 'server': pattern '*' has nothing to repeat before '*'",
      "X: html: pattern 'fo(' lacks a ')'",
      "X: dom: selector 'a:hover' is not supported at ':hover'",
    ]);
    const limits = { deadline: Deadline.after(60_000) };
    expect(scanPage(set, { ...EMPTY, html: 'vendor' }, limits).technologies).toHaveLength(1);
  });

  it('keeps the last of equal names, and names globals and patterns that need V8', () => {
    const set = compileFingerprints([
      { name: 'X', category: 'One', html: 'a1' },
      { name: 'X', category: 'Two', html: '(?!q)vendor', js: { 'b.c': '', a: '' } },
    ]);
    expect(set).toMatchObject({
      size: 1,
      globalPaths: ['a', 'b.c'],
      backtracking: ['X: (?!q)vendor'],
    });
  });
});
