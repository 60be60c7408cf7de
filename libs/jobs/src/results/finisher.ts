import { Readable } from 'node:stream';
import { newId } from '@app/contracts';
import { LeaseKeeper, type Runtime } from '@app/runtime';
import {
  completeJob,
  extendProcessingJob,
  giveUpJob,
  releaseProcessingJob,
  firstPageProblem,
  takeProcessingJob,
  type ProcessingJob,
} from './finish-job.js';
import { readFrames } from './read-results.js';
import { gathered, PACKED_SUFFIX } from './packed-file.js';
import { rawFrame } from './zstd-frames.js';

/**
 * The job of a dead finisher is reassigned after this time; a live one renews it three times as
 * often. A finisher that was only paused for longer works in vain: the first to complete the job
 * wins, and each writes its own file.
 */
const FINISH_LEASE_MS = 15_000;
/** A result file that cannot be written this often never will be: a job always ends. */
const MAX_ATTEMPTS = 10;

/** Writes the result file of jobs whose pages have all ended and completes them. */
export class Finisher {
  private readonly stopping = new AbortController();

  constructor(private readonly runtime: Pick<Runtime, 'database' | 'log' | 'metrics' | 'blobs'>) {}

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const job = await takeProcessingJob(this.runtime.database, FINISH_LEASE_MS);
    if (!job) return null;
    const takenAt = performance.now();
    try {
      await this.finish(job, takenAt);
      return 0;
    } catch (err) {
      await this.onFailure(job, err, takenAt);
      return null;
    }
  }

  /** Breaks off the file being written; the job goes to another process. */
  abort(): void {
    this.stopping.abort(new Error('stopping'));
  }

  private async finish(job: ProcessingJob, takenAt: number): Promise<void> {
    const { database, blobs, log } = this.runtime;
    const leases = this.leaseOf(job);
    try {
      const resultKey = job.scraped > 0 ? await this.writeResults(job) : null;
      const problem = job.scraped > 0 ? '' : await firstPageProblem(database, job);
      const isDone = await completeJob(database, job.id, { resultKey, problem });
      // Cancelled, or completed by another process with its own file: nothing refers to this one.
      if (!isDone && resultKey !== null) await blobs.delete(resultKey);
      const outcome = job.scraped > 0 ? 'completed' : 'failed';
      if (isDone) this.count(job, outcome, takenAt);
      log.info({ jobId: job.id, outcome, pages: job.scraped, isDone }, 'job finished');
    } finally {
      leases.close();
    }
  }

  private count({ type, ageSeconds }: ProcessingJob, outcome: string, takenAt: number): void {
    const seconds = ageSeconds + (performance.now() - takenAt) / 1_000;
    this.runtime.metrics.jobEnded({ type, outcome }, seconds);
  }

  private async onFailure(job: ProcessingJob, err: unknown, takenAt: number): Promise<void> {
    const { database, log } = this.runtime;
    if (this.stopping.signal.aborted) return releaseProcessingJob(database, job.id);
    log.error(
      { err, jobId: job.id, attempts: job.attempts },
      'the results of a job could not be written',
    );
    if (job.attempts < MAX_ATTEMPTS) return;
    const problem =
      'The result file could not be written. The pages that can be read are under /results.';
    if (await giveUpJob(database, job.id, problem)) this.count(job, 'failed', takenAt);
  }

  private leaseOf({ id }: ProcessingJob): LeaseKeeper<string> {
    const { database, log } = this.runtime;
    const renew = async (held: readonly string[]): Promise<readonly string[]> =>
      (await extendProcessingJob(database, id, FINISH_LEASE_MS)) ? [] : held;
    const leases = new LeaseKeeper({ kind: 'ended jobs', log, leaseMs: FINISH_LEASE_MS, renew });
    leases.hold(id);
    return leases;
  }

  /**
   * A JSON array of all documents, as zstd frames one after another: documents are copied as they lie,
   * brackets and commas are frames of their own. Memory does not grow with the crawl.
   */
  private async writeResults(job: ProcessingJob): Promise<string> {
    const { database, blobs } = this.runtime;
    const { signal } = this.stopping;
    // A key per attempt: two processes at work on one job never write to the same object.
    const key = `jobs/${job.tenantId}/${job.id}/results-${newId()}.json${PACKED_SUFFIX}`;
    const documents = readFrames({ database, blobs }, job.id, { after: 0, most: job.scraped });
    async function* array(): AsyncGenerator<Buffer> {
      let separator = OPEN;
      for await (const { frame } of documents) {
        signal.throwIfAborted();
        yield separator;
        yield frame;
        separator = NEXT;
      }
      yield CLOSE;
    }
    await blobs.put(key, Readable.from(gathered(array()), { objectMode: false }), {
      contentType: 'application/zstd',
    });
    return key;
  }
}

const OPEN = rawFrame('[');
const NEXT = rawFrame(',\n');
const CLOSE = rawFrame(']\n');
