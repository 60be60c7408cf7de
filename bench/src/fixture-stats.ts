/** Answer of `/__stats` of the fixture; its own control paths are never counted. */
export interface FixtureStats {
  /** Pages the site has. */
  readonly pages: number;
  readonly meanBytes: number;
  readonly maxBytes: number;
  /** Everything that was requested. */
  readonly requests: number;
  readonly pageRequests: number;
  /** Different pages requested; the rest of `pageRequests` are repetitions. */
  readonly uniquePages: number;
  /** Scripts, styles, pictures and data of pages. */
  readonly partRequests: number;
  /** Requests that robots.txt forbids. */
  readonly forbiddenRequests: number;
  /** robots.txt, sitemaps and what does not exist. */
  readonly otherRequests: number;
  /** Most pages of one host that were being answered at the same time. */
  readonly peakOfOneHost: number;
  /** When the first page was requested, Unix milliseconds; null before. */
  readonly firstPageAtMs: number | null;
}
