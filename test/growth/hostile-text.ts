/** The kinds of text that are worst for readers of text: one of them over and over. */
export const UNITS: readonly string[] = [
  ...['<', '<a ', '</', '<!--', '-->', '<b>', '<p>', '&', '&#', '&amp', '&quot;'],
  ...['=', 'a=', '"', "'", '`', '\\', '/', '//', '/a', '/index.html', '.html', '.', '-', '_', '-_'],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    ' \n',
    '\u00a0',
    ', ',
    ',',
    ';',
    ':',
    ': ',
    '#',
    '?',
    '&a=',
    '%',
    '%2',
  ],
  ...[
    '@',
    'a@',
    '@a.',
    '+',
    '1',
    '1 ',
    '1-',
    '(1) ',
    '(',
    ')',
    '[',
    ']',
    '[a](',
    '{',
    '}',
    '{"a":[',
    '$',
  ],
  ...[
    '*',
    '**',
    '|',
    ' | ',
    '| ',
    '~',
    '^',
    '!',
    '!--',
    'a',
    'A',
    'Aa ',
    'a. ',
    'www.',
    'http://',
    'data:',
  ],
  ...[
    '\u0301',
    '\u{1f600}',
    'url(',
    'var(--a)',
    '--a:',
    'a{',
    '}@media ',
    '/*',
    '*/',
    'a 1w,',
    'a a',
  ],
  ...[
    'rgb(',
    'logo',
    'Mon-Fri 9 am ',
    'Call 555 ',
    '12 Main St, ',
    'CEO – ',
    'disallow:/*',
    '\ndisallow: /',
  ],
  ...[
    '\nuser-agent: a\ncrawl-delay: 1',
    'utm_a=',
    'noindex,',
    'load ',
    'main.',
    '/assets/',
    'vendor~',
  ],
];

/** {@link UNITS} to a length of `n`, with an ending that few patterns take. */
export const hostileText = (unit: string, n: number): string =>
  `${unit.repeat(Math.ceil(n / unit.length)).slice(0, n)}\u0001`;

const quoted = (text: string): string => text.replaceAll('"', '&quot;');

/** A page that has a text wherever readers look for one, a part of its length in each place. */
export function pageWithText(text: string): string {
  const part = text.slice(0, Math.ceil(text.length / PLACES.length));
  return PLACES.map((place) => place(part)).join('\n');
}

const PLACES: readonly ((text: string) => string)[] = [
  (text) => `<title>${text}</title><base href="/${quoted(text).slice(0, 2_000)}">`,
  (text) => `<meta name="description" content="${quoted(text)}">`,
  (text) =>
    `<meta property="og:title" content="${quoted(text)}"><meta http-equiv=refresh content="${quoted(text)}">`,
  (text) => `<link rel="stylesheet icon canonical" href="${quoted(text)}">`,
  (text) => `<style>${text.replaceAll('</', '')}</style>`,
  (text) => `<style>a{color:${text.replaceAll('</', '')}}</style>`,
  (text) => `<script type="application/ld+json">${text.replaceAll('</', '')}</script>`,
  (text) => `<script>${text.replaceAll('</', '')}</script>`,
  (text) => `<h1 class="${quoted(text)}" style="${quoted(text)}">${text}</h1>`,
  (text) => `<a href="${quoted(text)}" title="${quoted(text)}">${text}</a>`,
  (text) => `<img alt="${quoted(text)}" src="/logo.png" srcset="${quoted(text)}">`,
  (text) => `<button id="${quoted(text)}">${text}</button>`,
  (text) => `<table><tr><td>${text}<td>${text}</table>`,
  (text) =>
    `<div itemscope itemtype="https://schema.org/Hotel"><i itemprop="${quoted(text)}">${text}</i></div>`,
  (text) => `<pre><code class="language-${quoted(text)}">${text}</code></pre>`,
  (text) => `<footer><p>${text}</p><li>${text}</li></footer>`,
];
