import type { FetchedPage, WatchedPage, WatchRequest } from '../fetch-rung.js';
import { givenCookies } from './cookies.js';
import { LATE } from './lifeline.js';
import { readGlobals } from './page-globals.js';
import type { Rendering } from './rendering.js';

const MAX_COOKIES_MS = 500;
/** One more than a technology scan reads (specification: tech_meta, `item_cap`, `value_cap`). */
const MAX_COOKIES = 501;
const MAX_VALUE_CHARS = 2_001;

/**
 * What a watched page came to. The page itself has been read: whatever it does now, what was read of it
 * stays, so this never fails.
 */
export async function lookBack(
  rendering: Rendering,
  { globalPaths, globalsMs }: WatchRequest,
  { url, isRendered }: FetchedPage,
): Promise<WatchedPage> {
  const cookies = await cookiesSet(rendering, url);
  const found = isRendered
    ? await readGlobals(rendering, globalPaths, globalsMs)
    : { globals: {}, isUnresponsive: false };
  return {
    ...found,
    requests: [...(rendering.log?.urls ?? [])],
    isCapped: rendering.log?.isCapped ?? false,
    cookies,
  };
}

async function cookiesSet(
  { page, request, lifeline }: Rendering,
  url: string,
): Promise<Readonly<Record<string, string>>> {
  // A page that crashed meanwhile has none to show.
  const asked = page.context().cookies(url);
  const all = await lifeline.atMost(asked, MAX_COOKIES_MS).catch((): typeof LATE => LATE);
  if (all === LATE) return {};
  const given = new Map(givenCookies(request).map(({ name, value }) => [name, value]));
  const set = all.filter(({ name, value }) => given.get(name) !== value).slice(0, MAX_COOKIES);
  return Object.fromEntries(set.map(({ name, value }) => [name, value.slice(0, MAX_VALUE_CHARS)]));
}
