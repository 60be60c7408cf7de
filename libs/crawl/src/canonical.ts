/** The address a page gives for itself, and whether it can only be a spelling of its own. */
export interface CanonicalClaim {
  readonly url: URL;
  /** Same path, another query or ending: any number of pages may be such variants of one. */
  readonly isVariant: boolean;
}

/** Parameters that choose what a page shows, or which part of a list: without them it is another one. */
const IDENTITY =
  /^(?:(?:.*[_-])?id|[pv]|(?:.*[_-])?(?:page|paged|article|item|product|sku|node|post|topic|thread|story|view|action|module|path|route|slug|name|q|query|search|start|offset|from|after|cursor|lang|language))$/i;
/** The first page of a folder under its other names. */
const ENDING = /(?:\/(?:index|default)\.\w{2,5}|\.(?:html?|php|aspx?|jsp|amp)|\/amp|\/)+$/i;

/**
 * The canonical address of a page as far as it can be believed. Templates often name the front page,
 * or the page without its number, on every page; following that would make a site vanish. So it is
 * left aside when it leads to another scheme or site than http(s) of this one, when it is the front
 * page and this page is not, and when it drops or changes a parameter that tells pages apart.
 * @param page address after redirects
 */
export function canonicalClaim(page: URL, canonical: string | undefined): CanonicalClaim | null {
  const url = canonical === undefined ? null : URL.parse(canonical);
  if (!url || !/^https?:$/.test(url.protocol) || siteOf(url) !== siteOf(page)) return null;
  url.hash = '';
  const own = bareOf(page.pathname);
  const claimed = bareOf(url.pathname);
  if (claimed === '' && own !== '') return null;
  const isVariant = own === claimed;
  if (isVariant && !keepsIdentity(page, url)) return null;
  return { url, isVariant };
}

function siteOf(url: URL): string {
  return url.host.startsWith('www.') ? url.host.slice(4) : url.host;
}

const bareOf = (path: string): string => path.replace(ENDING, '').toLowerCase();

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
