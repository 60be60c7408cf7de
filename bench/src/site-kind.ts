/**
 * The pages of the fixture site: `crawl`: as they come, 75 kB each; `rendered`: made by a script;
 * `small`: as they come, 3 kB each.
 */
export type SiteKind = 'crawl' | 'rendered' | 'small';
