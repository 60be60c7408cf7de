import { Injectable } from '@nestjs/common';
import { isTerminal, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  jobReasons,
  jobsById,
  reasonsOfJobs,
  type JobEntity,
  type ReasonCount,
  resultUrl,
} from '@app/jobs';
import type { JobView } from '../job.dto.js';
import { presentJob } from '../present-job.js';
import { StreamSlots } from '../../http/stream-slots.js';
import { InjectRuntime } from '../../runtime.token.js';

const MAX_PER_TENANT = 20;
/** Each uses a connection, one page result and one read. */
const MAX_PER_PROCESS = 500;

/** A job as last polled. */
export interface LiveState {
  readonly job: JobEntity;
  readonly scraped: number;
  /** The job's page limit. */
  readonly limit: number;
  readonly view: JobView;
  readonly isEnded: boolean;
}

/** One reader's view of a job. */
export interface Watch {
  /** Null if the job was deleted. */
  readonly state: LiveState | null;
  /** Resolves at the next change, when the process stops, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
  readonly isStopping: boolean;
  close(): void;
}

interface Watched {
  state: LiveState | null;
  readonly wakers: Set<() => void>;
  readers: number;
}

/**
 * The jobs that readers of this process follow. All are polled together, however many readers there are: by
 * one query when the frontier reports a change, and once a second.
 */
@Injectable()
export class LiveJobs {
  private readonly watched = new Map<string, Watched>();
  private readonly readers = new StreamSlots({
    perTenant: MAX_PER_TENANT,
    perProcess: MAX_PER_PROCESS,
    tooMany: 'too_many_streams',
    unavailable: 'streams_unavailable',
  });
  private isStopping = false;

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<
      Runtime,
      'database' | 'settings' | 'downloadSecret' | 'publicUrl'
    >,
  ) {}

  /** Follows a job of the tenant until closed. @throws ApiError if the tenant follows too many */
  async watch(job: JobEntity): Promise<Watch> {
    if (this.isStopping) throw new ApiError('draining');
    const release = this.readers.take(job.tenantId);
    try {
      const reasons = await jobReasons(this.runtime.database.asReader(job.tenantId), job.id);
      return this.open(job, reasons, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Polls every followed job, of all tenants at once; see BackgroundLoop. */
  async round(): Promise<null> {
    if (this.watched.size === 0) return null;
    const jobs = await jobsById(this.runtime.database, [...this.watched.keys()]);
    const byId = new Map(jobs.map((job) => [job.id, job]));
    const changed = jobs.filter((job) => this.isNews(job));
    if (changed.length > 0) await this.updateAll(changed);
    for (const id of this.watched.keys()) if (!byId.has(id)) this.update(id, null);
    return null;
  }

  /** Ends every stream: the readers reconnect to another process. */
  stop(): void {
    this.isStopping = true;
    for (const { wakers } of this.watched.values()) wakeAll(wakers);
  }

  private open(job: JobEntity, reasons: readonly ReasonCount[], release: () => void): Watch {
    const watched = this.watched.get(job.id) ?? { state: null, wakers: new Set(), readers: 0 };
    this.watched.set(job.id, watched);
    watched.readers++;
    watched.state = this.stateOf(job, reasons);
    const isStopping = (): boolean => this.isStopping;
    const close = once(() => {
      release();
      watched.readers--;
      if (watched.readers === 0) this.watched.delete(job.id);
    });
    return {
      get state() {
        return watched.state;
      },
      get isStopping() {
        return isStopping();
      },
      changed: (signal) => nextWake(watched.wakers, signal),
      close,
    };
  }

  private async updateAll(jobs: readonly JobEntity[]): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    const reasons = await reasonsOfJobs(this.runtime.database, ids);
    for (const job of jobs) this.update(job.id, this.stateOf(job, reasons.get(job.id) ?? []));
  }

  private isNews(job: JobEntity): boolean {
    const known = this.watched.get(job.id)?.state;
    if (!known) return this.watched.has(job.id);
    const { discovered, pending, leased, scraped, failed, skipped, cancelled } = known.view.pages;
    return (
      job.status !== known.view.status ||
      job.discovered !== discovered ||
      job.pending !== pending ||
      job.leased !== leased ||
      job.scraped !== scraped ||
      job.failed !== failed ||
      job.skipped !== skipped ||
      job.cancelled !== cancelled
    );
  }

  private stateOf(job: JobEntity, reasons: readonly ReasonCount[]): LiveState {
    const view = presentJob(job, reasons, resultUrl(this.runtime, job));
    return {
      job,
      scraped: job.scraped,
      limit: job.pageLimit,
      view,
      isEnded: isTerminal(job.status),
    };
  }

  private update(id: string, state: LiveState | null): void {
    const watched = this.watched.get(id);
    if (!watched) return;
    watched.state = state;
    wakeAll(watched.wakers);
  }
}

function wakeAll(wakers: Set<() => void>): void {
  for (const wake of [...wakers]) wake();
}

function nextWake(wakers: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const wake = (): void => {
      wakers.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    wakers.add(wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
