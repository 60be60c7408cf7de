import { Readable } from 'node:stream';
import type { Runtime } from '@app/runtime';
import {
  completeJob,
  extendProcessingJob,
  seedProblem,
  takeProcessingJob,
  type ProcessingJob,
} from '@app/store';
import { readResults } from '../crawl/read-results.js';

const FINISH_LEASE_MS = 60_000;

/** Writes the result file of jobs whose pages have all ended and completes them. */
export class Finisher {
  constructor(private readonly runtime: Runtime) {}

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const job = await takeProcessingJob(this.runtime.store, FINISH_LEASE_MS);
    if (!job) return null;
    await this.finish(job);
    return 0;
  }

  private async finish(job: ProcessingJob): Promise<void> {
    const { store, blobs, log, metrics } = this.runtime;
    const renew = setInterval(() => {
      extendProcessingJob(store, job.id, FINISH_LEASE_MS).catch((err: unknown) =>
        log.warn({ err, jobId: job.id }, 'the lease on a finished job could not be renewed'),
      );
    }, FINISH_LEASE_MS / 3);
    try {
      const resultKey = job.scraped > 0 ? await this.writeResults(job) : null;
      const problem = job.scraped > 0 ? '' : await seedProblem(store, job.id);
      const isDone = await completeJob(store, job.id, { resultKey, problem });
      const outcome = job.scraped > 0 ? 'completed' : 'failed';
      // Cancelled while the file was written: it belongs to nothing.
      if (!isDone && resultKey !== null) await blobs.delete(resultKey);
      if (isDone) metrics.jobsCompleted.inc({ type: 'crawl', outcome });
      log.info({ jobId: job.id, outcome, pages: job.scraped, isDone }, 'crawl finished');
    } finally {
      clearInterval(renew);
    }
  }

  /** A JSON array of all documents, streamed: memory does not grow with the crawl. */
  private async writeResults(job: ProcessingJob): Promise<string> {
    const { store, blobs } = this.runtime;
    const key = `jobs/${job.tenantId}/${job.id}/results.json`;
    const documents = readResults({ store, blobs }, job.id, { after: 0, most: job.scraped });
    async function* array(): AsyncGenerator<string | Buffer> {
      let separator = '[';
      for await (const { document } of documents) {
        yield separator;
        yield document;
        separator = ',\n';
      }
      yield ']\n';
    }
    await blobs.put(key, Readable.from(array(), { objectMode: false }), {
      contentType: 'application/json',
    });
    return key;
  }
}
