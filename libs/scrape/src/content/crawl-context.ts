import type { ScopeOptions } from '@app/crawl';

/** The crawl a page belongs to: its scope decides on the page's links. */
export interface CrawlContext {
  readonly jobId: string;
  /** Key of the page the links are on. */
  readonly pageKey: string;
  /** Depth of the page; its links are one deeper. */
  readonly depth: number;
  readonly scope: ScopeOptions;
  /** It is the start page: where it ends bounds the crawl, see `Scope.startedAt`. */
  readonly movesScope: boolean;
  /** Name by which pages address this robot; null: robots directives of pages are ignored. */
  readonly robotsAgent: string | null;
}
