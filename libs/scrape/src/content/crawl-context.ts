import type { ScopeOptions } from '@app/crawl';

/** The crawl a page belongs to: by this its links are judged. */
export interface CrawlContext {
  readonly jobId: string;
  /** Key of the page the links are on. */
  readonly pageKey: string;
  /** Depth of the page; its links are one deeper. */
  readonly depth: number;
  readonly scope: ScopeOptions;
  /** Name by which pages address this robot; null: what they ask of robots is not heeded. */
  readonly robotsAgent: string | null;
}
