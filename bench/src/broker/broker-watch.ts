import type { TaskQueue } from '@app/broker';
import { readBroker, type BrokerReport, pssBytes } from './broker-memory.js';

/** The broker at one moment. */
export interface BrokerSample {
  readonly atMs: number;
  /** Pages of the crawl that were done. */
  readonly scraped: number;
  readonly residentBytes: number;
  /** Messages of crawls that waited for a fetcher. */
  readonly waiting: number;
}

export interface WatchOptions {
  /** The broker's process. */
  readonly pid: number;
  readonly queue: TaskQueue;
  readonly scraped: () => Promise<number>;
  readonly sampleMs: number;
  readonly reportMs: number;
}

/** Samples the broker while a crawl runs. */
export class BrokerWatch {
  readonly samples: BrokerSample[] = [];
  readonly reports: BrokerReport[] = [];
  /** Why the broker could not be asked; null when it could. */
  problem: string | null = null;
  private readonly startedAtMs = performance.now();
  private isStopped = false;
  private readonly looking: Promise<unknown>;

  constructor(private readonly options: WatchOptions) {
    const { sampleMs, reportMs } = options;
    this.looking = Promise.all([
      this.repeat(sampleMs, () => this.sample()),
      this.repeat(reportMs, () => this.report()),
    ]);
    // Reported to the caller that stops the watch; ignored until then.
    this.looking.catch(() => undefined);
  }

  /** Rejects when the broker or the service could not be sampled. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.looking;
  }

  private async repeat(pauseMs: number, look: () => Promise<void>): Promise<void> {
    for (let dueMs = performance.now(); !this.isStopped; dueMs += pauseMs) {
      await look();
      while (!this.isStopped && performance.now() < dueMs + pauseMs) await pause(50);
    }
  }

  private async sample(): Promise<void> {
    const { pid, queue, scraped } = this.options;
    const [done, waiting] = await Promise.all([scraped(), queue.depth('crawl')]);
    const bytes = pssBytes(pid);
    if (bytes === null) throw new Error('the broker has ended');
    const atMs = performance.now() - this.startedAtMs;
    this.samples.push({ atMs, scraped: done, residentBytes: bytes, waiting });
  }

  private async report(): Promise<void> {
    if (this.problem !== null) return;
    try {
      this.reports.push(await readBroker(this.options.pid));
    } catch (error) {
      // Its own figures are an addition; without them the process's are still there, and the end
      // says so.
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
