import type { FoundPage } from '../search-task.js';
import { canonicalUrl, withoutTracking } from '@app/crawl';
import { isWithin } from '../query/bare-domain.js';

/** Which results a search keeps. */
export interface ResultTerms {
  readonly limit: number;
  /** Empty: any. */
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  /** Whether the service may fetch the address: search engines list private ones too. */
  readonly isAllowed: (url: URL) => boolean;
}

/** Parameters that search engines add to the addresses of results. */
const ADDED = ['srsltid', 'ved', 'usg', 'sca_esv'];

/** Results of one search over all pages of a backend: each page of the web once, in the order of the backend. */
export class MergedResults {
  private readonly byKey = new Map<string, FoundPage>();

  constructor(private readonly terms: ResultTerms) {}

  get results(): readonly FoundPage[] {
    return [...this.byKey.values()];
  }

  get isFull(): boolean {
    return this.byKey.size >= this.terms.limit;
  }

  /** Returns how many are new. */
  add(found: readonly FoundPage[]): number {
    const before = this.byKey.size;
    for (const one of found) {
      if (this.isFull) break;
      this.addOne(one);
    }
    return this.byKey.size - before;
  }

  private addOne(one: FoundPage): void {
    const url = cleanUrl(one.url);
    if (url === null || !this.isWanted(url)) return;
    const key = canonicalUrl(url)
      .replace(/^https?:\/\/(?:www\.)?/, '')
      .replace(/\/$/, '');
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, { ...one, url: url.href });
    else if (known.snippet === '') this.byKey.set(key, { ...known, snippet: one.snippet });
  }

  private isWanted(url: URL): boolean {
    const { includeDomains, excludeDomains, isAllowed } = this.terms;
    if (isWithin(url.hostname, excludeDomains)) return false;
    if (includeDomains.length > 0 && !isWithin(url.hostname, includeDomains)) return false;
    return isAllowed(url);
  }
}

/** Without tracking parameters, credentials and text fragments. */
function cleanUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const clean = new URL(withoutTracking(url));
  if (ADDED.some((name) => clean.searchParams.has(name)))
    for (const name of ADDED) clean.searchParams.delete(name);
  if (clean.hash.includes(':~:')) clean.hash = clean.hash.replace(/:~:.*/, '').replace(/^#$/, '');
  clean.username = '';
  clean.password = '';
  return clean;
}
