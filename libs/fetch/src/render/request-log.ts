/** One more than a technology scan reads of an address (specification: tech_meta, `value_cap`). */
const MAX_URL_CHARS = 2_001;

/** The addresses a watched page requests, and the end of its allowance. */
export class PageRequestLog {
  /** In the order of the requests. */
  readonly urls: string[] = [];
  /** The page made more requests than it may. */
  isCapped = false;

  constructor(private readonly maxRequests: number) {}

  /** False: the page has used its allowance, and this one is not to be loaded. */
  admit(url: string): boolean {
    if (this.urls.length >= this.maxRequests) {
      this.isCapped = true;
      return false;
    }
    this.urls.push(url.slice(0, MAX_URL_CHARS));
    return true;
  }
}
