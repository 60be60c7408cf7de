import { discoveryBound } from '@app/crawl';
import { Coalescer, type Database } from '@app/database';
import {
  claimPages,
  LargeOptions,
  type ClaimedPage,
  type CrawlTask,
} from '../frontier/claim-pages.js';

/** Claims that arrive while one statement runs share the next: one round trip for many messages. */
const MAX_BATCH = 200;

/** Turns messages into claimed pages, or null for messages that have become void. */
export class PageClaims {
  private readonly claims: Coalescer<CrawlTask, ClaimedPage | null>;

  constructor(database: Database, leaseMs: number) {
    const large = new LargeOptions();
    this.claims = new Coalescer({
      nameOf: (task) => `${pageOf(task)}/${task.epoch}`,
      maxStatements: 1,
      maxNames: MAX_BATCH,
      send: async (tasks) => {
        const wanted = tasks.map(({ call }) => call);
        const claimed = await claimPages(database, wanted, { leaseMs, discoveryBound, large });
        const pages = new Map(claimed.map((page) => [pageOf(page), page]));
        return wanted.map((task) => {
          const page = pages.get(pageOf(task)) ?? null;
          // The same page twice in one batch was claimed once.
          pages.delete(pageOf(task));
          return (n) => (n === 0 ? page : null);
        });
      },
    });
  }

  claim(task: CrawlTask): Promise<ClaimedPage | null> {
    return this.claims.call(task);
  }
}

function pageOf({ jobId, urlKey }: Pick<CrawlTask, 'jobId' | 'urlKey'>): string {
  return `${jobId}/${urlKey}`;
}
