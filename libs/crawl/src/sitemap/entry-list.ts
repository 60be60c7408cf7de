import { detached } from './detached-text.js';
import {
  MAX_LOC_CHARS,
  MAX_SITEMAP_URLS,
  type SitemapCut,
  type SitemapEntry,
} from './sitemap-file.js';

const MAX_LASTMOD_CHARS = 64;

/** The entries of one sitemap as they are found, under the bounds of their number and length. */
export class EntryList {
  private links: SitemapEntry[] = [];
  private children: SitemapEntry[] = [];
  private count = 0;
  private readonly found = new Set<SitemapCut>();
  private isEnough = false;

  /** @param base the sitemap's own address */
  constructor(private readonly base: string) {}

  /** Nothing that follows is of use. */
  get isFull(): boolean {
    return this.isEnough;
  }

  get cuts(): readonly SitemapCut[] {
    return [...this.found];
  }

  /** Entries that wait to be taken. */
  get waiting(): number {
    return this.links.length + this.children.length;
  }

  /** @param loc null: longer than an address may be */
  add(to: 'links' | 'children', loc: string | null, lastmod: string | null): void {
    if (this.isEnough || loc === '') return;
    const href = loc === null ? null : resolve(loc, this.base);
    if (href === '') return;
    if (href === null || href.length > MAX_LOC_CHARS) {
      this.found.add('loc_length');
      return;
    }
    if (this.count === MAX_SITEMAP_URLS) return this.stop('urls');
    this.count++;
    const isDated = lastmod !== null && lastmod !== '' && lastmod.length <= MAX_LASTMOD_CHARS;
    this[to].push(isDated ? { loc: href, lastmod: detached(lastmod) } : { loc: href });
  }

  cut(name: SitemapCut): void {
    this.found.add(name);
  }

  /** Takes nothing more. */
  stop(name?: SitemapCut): void {
    if (name !== undefined) this.found.add(name);
    this.isEnough = true;
  }

  /** Hands out at most `most` entries and forgets them. */
  take(most: number): { readonly links: SitemapEntry[]; readonly children: SitemapEntry[] } {
    const links = this.links.splice(0, most);
    return { links, children: this.children.splice(0, most - links.length) };
  }
}

/** Needs no base, which would be parsed anew for each address. */
const IS_WHOLE = /^https?:\/\//i;

/** Empty when it is no web address. */
function resolve(loc: string, base: string): string {
  const text = unwrapped(loc);
  const url = IS_WHOLE.test(text) ? URL.parse(text) : URL.parse(text, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return '';
  // Setting a part writes the address anew, and few have these.
  if (url.hash !== '') url.hash = '';
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  return url.href;
}

/** An address may be wrapped over lines that are indented. */
function unwrapped(loc: string): string {
  if (!/[\r\n]/.test(loc)) return loc;
  return loc
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .join('');
}
