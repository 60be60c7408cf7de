import { siteHostOf } from './scope.js';

/** The address a page gives for itself, and whether it can only be a spelling of its own. */
export interface CanonicalClaim {
  readonly url: URL;
  /** Same path, another query or ending: any number of pages may be such variants of one. */
  readonly isVariant: boolean;
}

/**
 * Parameters that choose what a page shows, or which part of a list: without them it is another
 * one.
 */
const IDENTITY =
  /^(?:(?:.*[_-])?id|[pv]|(?:.*[_-])?(?:page|paged|article|item|product|sku|node|post|topic|thread|story|view|action|module|path|route|slug|name|q|query|search|start|offset|from|after|cursor|lang|language))$/i;
/** The first page of a folder under its other names, and the length of the longest of them. */
const ENDING = /(?:\/(?:index|default)\.\w{2,5}|\.(?:html?|php|aspx?|jsp|amp)|\/amp|\/)$/i;
const MAX_ENDING_CHARS = 14;

/**
 * The canonical address of a page as far as it can be believed. Templates often name the front
 * page, or the page without its number, on every page; following that would make a site vanish. So
 * it is left aside when it leads to another scheme or site than http(s) of this one, when it is the
 * front page and this page is not, and when it drops or changes a parameter that distinguishes
 * pages.
 * @param page address after redirects
 */
export function canonicalClaim(page: URL, canonical: string | undefined): CanonicalClaim | null {
  const url = canonical === undefined ? null : URL.parse(canonical);
  if (!url || !/^https?:$/.test(url.protocol) || siteHostOf(url) !== siteHostOf(page)) return null;
  url.hash = '';
  const own = bareOf(page.pathname);
  const claimed = bareOf(url.pathname);
  if (claimed === '' && own !== '') return null;
  const isVariant = own === claimed;
  if (isVariant && !keepsIdentity(page, url)) return null;
  return { url, isVariant };
}

/** Endings are taken off one by one: a path may consist of thousands of them. */
function bareOf(path: string): string {
  let end = path.length;
  for (let length = endingBefore(path, end); length > 0; length = endingBefore(path, end))
    end -= length;
  return path.slice(0, end).toLowerCase();
}

function endingBefore(path: string, end: number): number {
  return ENDING.exec(path.slice(Math.max(0, end - MAX_ENDING_CHARS), end))?.[0].length ?? 0;
}

function keepsIdentity(page: URL, canonical: URL): boolean {
  const own = identityOf(page);
  // `?page=1` is the list itself.
  return own === identityOf(canonical);
}

function identityOf({ searchParams }: URL): string {
  return [...searchParams]
    .filter(([name, value]) => IDENTITY.test(name) && !(/pag/i.test(name) && value === '1'))
    .map(([name, value]) => `${name.toLowerCase()}=${value}`)
    .sort()
    .join('&');
}
