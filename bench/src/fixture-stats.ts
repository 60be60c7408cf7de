/** What `/__stats` of the fixture tells; its own two control paths are never counted. */
export interface FixtureStats {
  /** Pages the site has. */
  readonly pages: number;
  readonly meanBytes: number;
  readonly maxBytes: number;
  readonly pageRequests: number;
  /** Different pages asked for; the rest of `pageRequests` are repetitions. */
  readonly uniquePages: number;
  /** Requests that robots.txt forbids. */
  readonly forbiddenRequests: number;
  /** robots.txt, sitemaps and what does not exist. */
  readonly otherRequests: number;
}
