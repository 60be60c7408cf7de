import type { CrawlTask } from '../frontier/crawl-task.js';
import { discoveryBound } from '@app/crawl';
import { claimPages, type ClaimedPage } from '../frontier/claim-pages.js';
import { type Database } from '@app/database';

interface Waiting {
  readonly task: CrawlTask;
  readonly resolve: (page: ClaimedPage | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Claims that arrive while one statement runs share the next: one round trip for many messages. */
const MAX_BATCH = 200;

/** Turns messages into claimed pages, or null for messages that have become void. */
export class PageClaims {
  private waiting: Waiting[] = [];
  private running = false;

  constructor(
    private readonly database: Database,
    private readonly leaseMs: number,
  ) {}

  claim(task: CrawlTask): Promise<ClaimedPage | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ task, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    // Messages delivered in the same turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) await this.claimBatch(this.waiting.splice(0, MAX_BATCH));
    this.running = false;
  }

  private async claimBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const pages = await claimPages(
        this.database,
        batch.map(({ task }) => task),
        { leaseMs: this.leaseMs, discoveryBound },
      );
      const byKey = new Map(pages.map((page) => [`${page.jobId}/${page.urlKey}`, page]));
      for (const { task, resolve } of batch) {
        const key = `${task.jobId}/${task.urlKey}`;
        resolve(byKey.get(key) ?? null);
        // The same page twice in one batch was claimed once.
        byKey.delete(key);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
