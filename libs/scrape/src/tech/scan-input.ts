import type { ScanInput } from '@app/tech';
import type { FetchedPage } from '@app/fetch';

/** The data of a page for a scan, besides its URL and source. */
export type ScanSurroundings = Omit<ScanInput, 'url' | 'html'>;

/**
 * A longer page is packed without its middle. Scanners read tags within the first 4 MB and text from both ends
 * (specification: tech_meta, `html_cap`, `tag_scan_cap`): the rest is still longer than every cap, so each of
 * them is reported all the same.
 */
const MAX_CHARS = 5 * 1024 * 1024;
const TAIL_CHARS = 512 * 1024;

/** Headers and cookies of a fetched page, with the data that a browser recorded. */
export function surroundingsOf({ headers, setCookies, watched }: FetchedPage): ScanSurroundings {
  const named = Object.entries(headers).filter(([name]) => name !== 'set-cookie');
  return {
    headers: Object.fromEntries(named.map(([name, value]) => [name, [value]])),
    cookies: { ...Object.fromEntries((setCookies ?? []).flatMap(cookieOf)), ...watched?.cookies },
    ...(watched ? { globals: watched.globals, requests: watched.requests } : {}),
  };
}

/** RFC 6265, 5.2: the pair before the first semicolon; a cookie without a name is ignored. */
function cookieOf(header: string): readonly (readonly [string, string])[] {
  const [pair = ''] = header.split(';', 1);
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, equals)).trim();
  return name === '' ? [] : [[name, pair.slice(equals + 1).trim()]];
}

/** JSON of a {@link ScanInput}. Slow for a large page: for threads. */
export function writeScanInput(input: ScanInput): Uint8Array {
  return Buffer.from(JSON.stringify({ ...input, html: withoutMiddle(input.html) }));
}

function withoutMiddle(html: string): string {
  if (html.length <= MAX_CHARS) return html;
  return html.slice(0, MAX_CHARS - TAIL_CHARS) + html.slice(-TAIL_CHARS);
}
