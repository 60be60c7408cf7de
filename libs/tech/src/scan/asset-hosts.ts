import { getDomain } from 'tldts';
import { PageElement } from '../page/page-element.js';

/** So many files from elsewhere may be those of a widget. */
const MIN_ASSETS = 3;
/** Tags that load a file; where a link leads says nothing of a page. */
const LOADING: ReadonlySet<string> = new Set(['script', 'link', 'img']);
const ADDRESSES = ['src', 'href'] as const;
const HOST = /^((?:https?:)?\/\/)([^/?#]{0,300})/i;

/**
 * Whose files a page loads. Those of the page's site are relative, or from its registrable domain; a domain that serves most
 * of a page's scripts, style sheets and pictures is the site's, too. Any other says nothing of the software of the site.
 */
export class AssetHosts {
  private readonly own: string;
  private readonly counts = new Map<string, number>();
  private all = 0;

  constructor(pageUrl: string) {
    this.own = domainOf(pageUrl) ?? '';
  }

  /** Takes note of the file that a tag loads. Its domain, if that is not the page's. */
  meet(element: PageElement): string | null {
    if (!LOADING.has(element.name)) return null;
    const address = element.get(element.name === 'link' ? 'href' : 'src');
    if (address === undefined) return null;
    const domain = this.elsewhere(address);
    if (element.name === 'link' && !isSheet(element)) return domain;
    this.all++;
    if (domain !== null) this.counts.set(domain, (this.counts.get(domain) ?? 0) + 1);
    return domain;
  }

  /** Domain of an address of another one than the page's; null: the page's own, or not known. */
  elsewhere(address: string): string | null {
    const domain = domainOf(address);
    return domain === this.own ? null : domain;
  }

  /** Once the page is read: whether the domain serves most of its files. */
  servesMost(domain: string): boolean {
    const count = this.counts.get(domain) ?? 0;
    return count >= MIN_ASSETS && count > this.all / 2;
  }
}

const isSheet = (link: PageElement): boolean => /\bstylesheet\b/i.test(link.get('rel') ?? '');

export function isAddress(attribute: string): boolean {
  return ADDRESSES.some((name) => name === attribute);
}

/** Null: it has no host. */
function domainOf(address: string): string | null {
  const host = HOST.exec(address)?.[2];
  if (host === undefined) return null;
  const name = host
    .slice(host.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}

/** The same address at a host that nothing is known of: what matches it matches the path alone. */
export function withoutHost(address: string): string {
  return address.replace(HOST, '$1host.invalid');
}

/** The same tag with other addresses. */
export function withAddresses(
  element: PageElement,
  change: (address: string) => string,
): PageElement {
  const attributes = new Map(element.attributes);
  for (const name of ADDRESSES) {
    const value = attributes.get(name);
    if (value !== undefined) attributes.set(name, change(value));
  }
  return new PageElement(element.name, attributes, element.end);
}
