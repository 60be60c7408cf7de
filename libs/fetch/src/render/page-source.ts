import type { Deadline, TaskOwner } from '@app/contracts';
import type { RefusalKind } from '@app/egress';
import type { BrowserContext, CDPSession, Page } from 'playwright';

/** A page lent for one task, in a context that holds nothing of other tasks. */
export interface RenderLease {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly session: RefusalRecord;
  /** A raw session on the page. The lender of the page detaches it. */
  readonly cdp: CDPSession;
  /** The context served another page of the same key before: its HTTP cache is warm. @default false */
  readonly isReused?: boolean;
  /** The page may not serve another task: it is at work still, or was stopped. */
  discard?(): void;
}

/** The filtering proxy's word on the page's requests; a browser elsewhere has none. */
export interface RefusalRecord {
  /**
   * How a target (a URL, or `host:port`) was refused; null: it was not. By target, since a page
   * goes on asking after its document was refused: full Chromium for the icon of its error page, at
   * once.
   */
  refusalOf(target: string): RefusalKind | null;
}

export interface RenderLeaseRequest {
  readonly country: string | null;
  readonly stealth: boolean;
  readonly mobile: boolean;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly contextKey: string | null;
  readonly priority: 'interactive' | 'crawl';
  readonly owner?: TaskOwner;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  /** The work may be done twice: it is begun once more if its browser is lost meanwhile. @default false */
  readonly isRepeatable?: boolean;
}

/** Where pages come from: the browser pool, or a browser elsewhere. Closes what it lent. */
export interface PageSource {
  withPage<T>(request: RenderLeaseRequest, work: (lease: RenderLease) => Promise<T>): Promise<T>;
}
