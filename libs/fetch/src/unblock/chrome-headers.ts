/**
 * The browser to impersonate in TLS and HTTP/2. Named with its version: the bare name means an
 * old one, and the headers below must be the same browser's.
 */
export const IMPERSONATED_BROWSER = 'chrome151';

/** A navigation's headers in the order Chrome 151 sends them; null: filled in for each request. */
const SECURE: readonly (readonly [string, string | null])[] = [
  ['sec-ch-ua', '"Not=A?Brand";v="99", "Google Chrome";v="151", "Chromium";v="151"'],
  ['sec-ch-ua-mobile', '?0'],
  ['sec-ch-ua-platform', '"Windows"'],
  ['upgrade-insecure-requests', '1'],
  [
    'user-agent',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36',
  ],
  [
    'accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  ],
  ['sec-fetch-site', 'none'],
  ['sec-fetch-mode', 'navigate'],
  ['sec-fetch-user', '?1'],
  ['sec-fetch-dest', 'document'],
  ['accept-encoding', 'gzip, deflate, br, zstd'],
  ['accept-language', null],
  ['cookie', null],
  ['if-none-match', null],
  ['if-modified-since', null],
  ['priority', 'u=0, i'],
];

/**
 * What Chrome leaves out or shortens without TLS; the empty text makes the client leave its own
 * out.
 */
const INSECURE: Readonly<Record<string, string>> = {
  'sec-ch-ua': '',
  'sec-ch-ua-mobile': '',
  'sec-ch-ua-platform': '',
  'sec-fetch-site': '',
  'sec-fetch-mode': '',
  'sec-fetch-user': '',
  'sec-fetch-dest': '',
  'accept-encoding': 'gzip, deflate',
  priority: '',
};

/** The body is decoded by the client, which must have offered the encoding itself. */
const NOT_THE_CALLERS = new Set(['accept-encoding', 'cookie']);

export interface NavigationHeaders {
  readonly acceptLanguage: string;
  /** Text of the Cookie header; empty: none. */
  readonly cookie: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** The caller's, names in lower case. They take the place of the browser's, or go after them. */
  readonly own: Readonly<Record<string, string>>;
}

/** The same languages as Chrome writes them: no `*`, and weights that fall by a tenth. */
export function chromeAcceptLanguage(acceptLanguage: string): string {
  const tags = acceptLanguage
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
    .filter((tag) => tag !== '' && tag !== '*');
  return tags
    .map((tag, index) =>
      index === 0 ? tag : `${tag};q=${Math.max(0.1, 1 - index / 10).toFixed(1)}`,
    )
    .join(',');
}

/**
 * All headers of one request, in the browser's order: a list out of order is what gates look for.
 */
export function navigationHeaders(url: URL, navigation: NavigationHeaders): [string, string][] {
  const own = new Map(
    Object.entries(navigation.own).filter(([name]) => !NOT_THE_CALLERS.has(name)),
  );
  const filled: Readonly<Record<string, string | undefined>> = {
    ...(url.protocol === 'https:' ? {} : INSECURE),
    'accept-language': navigation.acceptLanguage,
    cookie: navigation.cookie || undefined,
    'if-none-match': navigation.etag,
    'if-modified-since': navigation.lastModified,
    ...Object.fromEntries(own),
  };
  const known = SECURE.flatMap(([name, value]): [string, string][] => {
    const text = filled[name] ?? value;
    return text === null ? [] : [[name, text]];
  });
  const names = new Set(SECURE.map(([name]) => name));
  return [...known, ...[...own].filter(([name]) => !names.has(name))];
}
