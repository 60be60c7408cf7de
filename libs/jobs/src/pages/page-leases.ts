import { LeaseKeeper, type Runtime } from '@app/runtime';
import {
  extendLeases,
  stoppedJobs,
  type ClaimedPage,
  type HeldLease,
} from '../frontier/claim-pages.js';

/** How soon a cancelled job is noticed; well under the 5 s within which its last request may leave. */
const STOP_CHECK_MS = 1_000;

/** The pages this process is working on. */
export class PageLeases {
  private readonly leases: LeaseKeeper<ClaimedPage>;

  constructor({ database, log }: Pick<Runtime, 'database' | 'log'>, leaseMs: number) {
    this.leases = new LeaseKeeper({
      kind: 'pages',
      log,
      leaseMs,
      renew: async (pages) => {
        const kept = new Set((await extendLeases(database, pages, leaseMs)).map(nameOf));
        return pages.filter((page) => !kept.has(nameOf(page)));
      },
      check: {
        everyMs: STOP_CHECK_MS,
        findLost: async (pages) => {
          const jobs = new Set(pages.map(({ jobId }) => jobId));
          const stopped = new Set(await stoppedJobs(database, [...jobs]));
          return pages.filter(({ jobId }) => stopped.has(jobId));
        },
      },
    });
  }

  /** @returns aborted when the job was stopped, or when another worker has the page */
  hold(page: ClaimedPage): AbortSignal {
    // The same page delivered twice: the older claim's write would be refused anyway.
    const isSame = ({ jobId, urlKey }: ClaimedPage): boolean =>
      jobId === page.jobId && urlKey === page.urlKey;
    for (const older of this.leases.held.filter(isSame)) this.leases.lose(older);
    return this.leases.hold(page);
  }

  release(page: ClaimedPage): void {
    this.leases.release(page);
  }

  /** Pages of a job that this process is working on. */
  countOf(jobId: string): number {
    return this.leases.held.filter((page) => page.jobId === jobId).length;
  }

  close(): void {
    this.leases.close();
  }
}

function nameOf({ jobId, urlKey, fence }: HeldLease): string {
  return `${jobId}/${urlKey}/${fence}`;
}
