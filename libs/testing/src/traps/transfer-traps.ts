import { articleMarker } from '../site/article.js';
import { CHARSET_SAMPLES } from '../site/charset-samples.js';
import { complete, trapFailure, partial, type Trap, type TrapAnswer } from './trap.js';

const forced = { forceHeadless: true } as const;
const BOMB_BYTES = 100_000_000;

/** Redirects, tarpits, bombs, broken HTTP, odd bodies. */
export const TRANSFER_TRAPS: readonly Trap[] = [
  ...loopTraps(),
  ...tarpitTraps(),
  ...bombTraps(),
  ...rawTraps(),
  ...kindTraps(),
];

function loopTraps(): readonly Trap[] {
  const endless = [
    'redirect-loop/a',
    'loop/self',
    'loop/growing',
    'loop/cookie-endless',
    'redirect-chain/30',
  ];
  const refreshing = ['loop/meta', 'loop/meta-pair/a', 'loop/script'];
  return [
    ...endless.map((path) =>
      plain(`/${path}`, 'redirects without an end', trapFailure('http_error')),
    ),
    {
      path: '/loop/self?forced',
      title: 'redirects without an end, in the browser',
      options: forced,
      expect: trapFailure('http_error', 'network'),
      needs: 'any',
    },
    plain(
      '/loop/slow/0',
      'redirects without an end, 1.5 s each',
      trapFailure('timeout', 'http_error'),
    ),
    plain(
      '/cookie-bounce',
      'a redirect to itself that ends by a cookie',
      complete('The cookie came back'),
    ),
    plain(
      '/loop/cookie-counter',
      'one address, four cookies, an end',
      complete(articleMarker('loop-cookie-counter')),
    ),
    plain('/redirect-chain/9', 'nine redirects that end', {
      ...complete('Small site'),
      endsAt: '/about',
    }),
    ...[301, 302, 303, 307, 308].map((status) =>
      plain(`/redirect/${status}?to=/loop/end/of-${status}`, `${status}`, {
        ...complete(articleMarker(`loop-end-of-${status}`)),
        endsAt: `/loop/end/of-${status}`,
      }),
    ),
    plain('/loop/no-location', '302 without Location', trapFailure('http_error')),
    ...refreshing.map((path): Trap => ({
      path: `/${path}`,
      title: 'a page that sends itself on for ever',
      expect: [
        partial(['empty', 'js_shell', 'timeout']),
        trapFailure('http_error', 'timeout', 'network'),
      ],
      needs: 'any',
    })),
    {
      path: '/loop/refresh-header',
      title: 'a Refresh header to the page',
      expect: complete(articleMarker('loop-end-header')),
      needs: 'any',
    },
    {
      path: '/loop/history',
      title: 'an address that changes without end',
      options: forced,
      expect: partial([null, 'timeout'], articleMarker('loop-history')),
      needs: 'headless',
    },
  ];
}

function tarpitTraps(): readonly Trap[] {
  const hung = [
    'image',
    'font',
    'frame',
    'xhr',
    'long-poll',
    'event-source',
    'web-socket',
    'stylesheet',
    'late-script',
  ];
  return [
    plain('/hang', 'a connection that is accepted and never answered', trapFailure('timeout')),
    plain('/tarpit/header-bytes', 'headers, a byte per second', trapFailure('timeout')),
    plain('/header-drip', 'header lines without an end', trapFailure('timeout')),
    plain(
      '/tarpit/late-body',
      'an article, then a byte per second: what was got',
      partial(['timeout'], articleMarker('tarpit-late-body')),
    ),
    plain('/drip', 'a byte per second: what was got, or nothing worth having', [
      partial(['timeout', 'empty']),
      trapFailure('timeout'),
    ]),
    plain(
      '/tarpit/endless-body',
      'a body without an end: cut and said',
      partial(['body'], articleMarker('tarpit-endless-body')),
    ),
    plain('/slow/3000/x', 'a page that takes 3 s and is fine', complete('Slow x')),
    {
      path: '/hang?forced',
      title: 'never answered, in the browser',
      options: forced,
      expect: trapFailure('timeout'),
      needs: 'any',
    },
    ...hung.map((part): Trap => ({
      path: `/tarpit/${part}`,
      title: `a page whose ${part} never comes, in the browser`,
      options: forced,
      expect: partial([null, 'timeout'], articleMarker(`tarpit-${part}`)),
      needs: 'headless',
    })),
    {
      path: '/tarpit/sync-xhr',
      title: 'a synchronous request that hangs, and the page with it: what was there, or a timeout',
      options: forced,
      expect: [partial(['timeout'], articleMarker('tarpit-sync-xhr')), trapFailure('timeout')],
      needs: 'any',
    },
    {
      path: '/tarpit/script',
      title: 'a script in the head that never comes: the browser sees no body',
      options: forced,
      expect: [partial(['timeout', 'empty', 'js_shell']), trapFailure('timeout')],
      needs: 'any',
    },
  ];
}

function bombTraps(): readonly Trap[] {
  const cut = partial(['body'], articleMarker('bomb'));
  return [
    ...['gzip', 'deflate', 'br', 'zstd'].map((encoding) =>
      heavy(`/bomb-as/${encoding}/${BOMB_BYTES}`, `a bomb as ${encoding}: cut and said`, cut),
    ),
    heavy(`/bomb-as/nested/2/${BOMB_BYTES}`, 'a bomb in a bomb', cut),
    heavy(`/bomb-as/nested/10/${BOMB_BYTES}`, 'ten layers of gzip', trapFailure('parse_error')),
    {
      ...heavy(`/bomb/${BOMB_BYTES}`, 'a bomb of spaces', partial(['empty', 'body', 'timeout'])),
      needs: 'any',
    },
    {
      path: `/bomb-as/gzip/${BOMB_BYTES}?forced`,
      title: 'a bomb in the browser',
      options: forced,
      expect: [
        partial(['body', 'timeout', 'max_nodes'], articleMarker('bomb')),
        trapFailure('timeout', 'unknown', 'network'),
      ],
      needs: 'any',
      isHeavy: true,
    },
    heavy('/dom/flat/200000', '200,000 elements', complete(articleMarker('dom-flat'))),
    heavy(
      '/dom/attributes/200000',
      'an element with 200,000 attributes',
      partial(['max_attributes'], articleMarker('dom-attributes')),
    ),
    heavy('/dom/text/5000000', 'a word of 5,000,000 letters', complete(articleMarker('dom-text'))),
    heavy(
      '/deep/100000',
      'elements nested 100,000 deep',
      partial(['max_depth', null], 'bottom of the well'),
    ),
    {
      path: '/dom/script/1000000',
      title: 'a million elements made by a script',
      options: forced,
      expect: [
        partial([null, 'body', 'timeout', 'max_nodes'], articleMarker('dom-script')),
        trapFailure('timeout', 'unknown'),
      ],
      needs: 'any',
      isHeavy: true,
    },
    {
      path: '/deep/100000?forced',
      title: 'elements nested 100,000 deep, in the browser',
      options: forced,
      expect: [
        partial([null, 'max_depth', 'timeout'], 'bottom of the well'),
        trapFailure('timeout', 'unknown'),
      ],
      needs: 'any',
      isHeavy: true,
    },
  ];
}

function rawTraps(): readonly Trap[] {
  return [
    plain('/raw/http-0.9', 'HTML without HTTP', trapFailure('parse_error')),
    plain('/raw/not-http', 'another protocol', trapFailure('parse_error')),
    plain('/raw/nothing', 'a connection that is closed without a word', trapFailure('network')),
    plain('/raw/header-flood', 'headers without an end, fast', trapFailure('parse_error')),
    plain(
      '/raw/long-length',
      'fewer bytes than announced: what was got, or the broken connection',
      [partial(['network', 'body', 'timeout'], articleMarker('raw')), trapFailure('network')],
    ),
    plain(
      '/raw/short-length',
      'more bytes than announced: the announced ones',
      partial([null, 'empty', 'body']),
    ),
    plain('/raw/two-lengths', 'two lengths, which is an attack', trapFailure('parse_error')),
    plain('/raw/cut-chunk', 'a chunk that is cut', [
      partial(['network', 'body', 'timeout'], articleMarker('raw')),
      trapFailure('network'),
    ]),
    plain('/raw/bad-chunk', 'a chunk without a length', trapFailure('parse_error', 'network')),
    plain('/raw/cut-headers', 'headers that are cut', trapFailure('network')),
    plain('/raw/nul-header', 'NUL in a header', trapFailure('parse_error')),
    plain('/raw/no-length', 'a body that ends with its connection', complete(articleMarker('raw'))),
    plain('/reset', 'a connection that is reset', trapFailure('network')),
    plain('/truncated', 'a body that is cut: what was got, or the broken connection', [
      partial(['network', 'body', 'timeout'], 'cut cut'),
      trapFailure('network'),
    ]),
    plain('/broken-gzip', 'broken compression', [
      partial(['body', 'network', 'parse_error'], 'never whole'),
      trapFailure('parse_error', 'network'),
    ]),
  ];
}

function kindTraps(): readonly Trap[] {
  const charsets = [
    'gbk/meta',
    'big5/header',
    'shift_jis/meta',
    'euc-kr/header',
    'koi8-r/meta',
    'windows-1251/header',
    'utf-16le/bom',
  ];
  return [
    ...charsets.map((path) =>
      plain(
        `/charset/${path}`,
        `a page in ${path}`,
        complete(CHARSET_SAMPLES[path.split('/')[0] ?? ''] ?? ''),
      ),
    ),
    plain('/json', 'JSON', complete('"fixture"')),
    plain('/kind/feed', 'a feed', complete('First item of the feed')),
    plain('/kind/text', 'plain text', complete('Plain words')),
    plain('/kind/json-as-html', 'JSON that says it is HTML', complete('json-in-disguise')),
    plain(
      '/kind/html-as-text',
      'HTML that says it is text',
      complete(articleMarker('kind-html-as-text')),
    ),
    plain('/no-type', 'HTML that does not say what it is', complete('no content type')),
    plain('/kind/bytes', 'bytes of no known kind', trapFailure('parse_error')),
    plain('/kind/bytes-as-html', 'bytes that say they are HTML', trapFailure('parse_error')),
    plain('/binary.png', 'a picture', trapFailure('parse_error')),
    plain('/download/html', 'a page to be saved', complete(articleMarker('download-html'))),
    plain('/download/csv', 'a table to be saved', complete('last-row')),
    ...['bytes', 'zip'].map((name) =>
      plain(`/download/${name}`, `a download: ${name}`, trapFailure('parse_error')),
    ),
    ...['html', 'bytes', 'pdf'].map((name): Trap => ({
      path: `/download/${name}?forced`,
      title: `a download in the browser (${name}): its text where it has one, or that it is none`,
      options: forced,
      expect:
        name === 'html'
          ? [complete(articleMarker('download-html')), trapFailure('parse_error')]
          : trapFailure('parse_error'),
      needs: 'any',
    })),
  ];
}

function plain(path: string, title: string, expect: TrapAnswer | readonly TrapAnswer[]): Trap {
  return { path, title, expect, needs: 'plain' };
}

function heavy(path: string, title: string, expect: TrapAnswer): Trap {
  return { ...plain(path, title, expect), isHeavy: true };
}
