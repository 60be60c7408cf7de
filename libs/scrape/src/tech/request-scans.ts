import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { scanInputKey, type BlobStore } from '@app/blobs';
import {
  BrokerUnavailableError,
  QueueFullError,
  RequestTimeoutError,
  type TaskQueue,
} from '@app/broker';
import { newId, type Deadline, type Plan } from '@app/contracts';
import { waitAtMost } from '@app/runtime';
import {
  mergeTechnologies,
  TECH_REASONS,
  TECH_SOURCES,
  type ScanReply,
  type ScanTask,
  type TechReason,
  type TechReport,
  type TechSource,
  type Technology,
} from '@app/tech';
import type { Logger } from '@app/telemetry';

export interface ScanPorts {
  readonly queue: Pick<TaskQueue, 'request'>;
  readonly blobs: Pick<BlobStore, 'put' | 'delete'>;
  readonly log: Logger;
  /** After this total time of a request's scans, waits included, no further one is started. */
  readonly requestBudgetMs: number;
  /** Longest wait for one scan: its hard limit, plus some time until a scanner is free. */
  readonly maxWaitMs: number;
}

/** The tenant and request of the scans, and their deadline. */
export interface ScanTerms {
  readonly requestId: string;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

/**
 * Not in the thread that wrote the input, which may be ended: there `node:zlib` could abort the process (see
 * `inflateAtMost` of content).
 */
const gzipBytes = promisify(gzip);
/** Pages are packed once and read once: speed counts, not the last byte. */
const GZIP = { level: 1 };

/** A reply that is ready at its deadline still has to travel back. */
const REPLY_GRACE_MS = 300;

/**
 * The scans of one request, one after the other: a request uses at most one scanner, and its budget is a sum.
 * Any failure of a scan is a reason in the report; nothing rejects.
 * Without a reply, or with a full queue, the remaining pages are not sent: each would wait in vain as long.
 */
export class RequestScans {
  private readonly scanned = new Map<string, ScanReply>();
  private readonly names = new Set<string>();
  private readonly reasons = new Set<TechReason>();
  private readonly sources = new Set<TechSource>();
  private last: Promise<void> = Promise.resolve();
  private spentMs = 0;
  private isAnswered = true;

  constructor(
    private readonly ports: ScanPorts,
    private readonly terms: ScanTerms,
  ) {}

  /**
   * Scans a page.
   * @param name of the page in the report; of pages with the same name the first is scanned
   * @param input see `writeScanInput`; packed and stored at once, so that waiting pages use no memory here
   */
  add(name: string, input: Uint8Array): void {
    if (this.names.size === this.names.add(name).size || this.isOver()) return;
    const stored = this.store(input);
    this.last = this.last.then(async () => this.scan(name, await stored));
  }

  /** Completed parts of a deep scan. */
  note(found: {
    readonly reasons: readonly TechReason[];
    readonly sources: readonly TechSource[];
  }) {
    for (const reason of found.reasons) this.reasons.add(reason);
    for (const source of found.sources) this.sources.add(source);
  }

  /**
   * Joins all pages added so far. Deletes everything stored.
   * @param order names of the pages: the order of joining, whichever was scanned first
   */
  async report(order: readonly string[]): Promise<TechReport> {
    await this.last;
    const replies = order.flatMap((name) => this.scanned.get(name) ?? []);
    const reasons = new Set([...this.reasons, ...replies.flatMap((one) => one.reasons)]);
    const sources = TECH_SOURCES.filter((source) => this.sources.has(source));
    return {
      technologies: mergeTechnologies(replies.map(({ technologies }) => technologies)),
      reasons: TECH_REASONS.filter((reason) => reasons.has(reason)),
      scannedBytes: replies.reduce((sum, one) => sum + one.scannedBytes, 0),
      durationMs: replies.reduce((sum, one) => sum + one.durationMs, 0),
      ...(sources.length === 0 ? {} : { sources }),
    };
  }

  /** Whether no further page is scanned; the report then has the reason. */
  private isOver(): boolean {
    const { deadline, signal } = this.terms;
    const isSpent = this.spentMs >= this.ports.requestBudgetMs || deadline.isPassed;
    if (!this.isAnswered) this.reasons.add('queue_timeout');
    else if (isSpent) this.reasons.add('request_budget');
    return !this.isAnswered || isSpent || signal.aborted;
  }

  /** The key of the stored input; null: it could not be stored. */
  private async store(input: Uint8Array): Promise<string | null> {
    const { tenantId, requestId, deadline } = this.terms;
    const key = scanInputKey(tenantId, newId());
    try {
      const packed = await gzipBytes(input, GZIP);
      await waitAtMost(deadline.remainingMs(), this.ports.blobs.put(key, packed));
      return key;
    } catch (err) {
      this.ports.log.warn({ err, tenantId, requestId }, 'a page was not stored for its scan');
      // It may still be stored after that.
      this.remove(key);
      return null;
    }
  }

  private async scan(name: string, inputKey: string | null): Promise<void> {
    if (inputKey === null) return void this.reasons.add('worker_error');
    const startedAt = performance.now();
    try {
      if (this.isOver()) return;
      const reply = parseScanReply(await this.requestScan(inputKey));
      if (reply === null) this.reasons.add('worker_error');
      else this.scanned.set(name, reply);
    } catch (error) {
      this.failed(error);
    } finally {
      this.spentMs += performance.now() - startedAt;
      this.remove(inputKey);
    }
  }

  private requestScan(inputKey: string): Promise<unknown> {
    const { requestId, tenantId, plan, signal } = this.terms;
    const deadline = this.terms.deadline.within(this.ports.maxWaitMs);
    const task: ScanTask = { requestId, tenantId, inputKey, deadlineAtMs: deadline.atMs };
    const timeoutMs = deadline.remainingMs() + REPLY_GRACE_MS;
    const owner = { tenantId, isFree: plan === 'free' };
    return this.ports.queue.request('tech-scan', task, { timeoutMs, signal, owner });
  }

  private failed(err: unknown): void {
    const { tenantId, requestId, signal } = this.terms;
    // The request was returned to the queue: its report is discarded.
    if (signal.aborted) return;
    if (isUnanswered(err)) {
      this.isAnswered = false;
      this.reasons.add('queue_timeout');
      return;
    }
    this.reasons.add('worker_error');
    this.ports.log.warn({ err, tenantId, requestId }, 'a page could not be scanned');
  }

  private remove(key: string): void {
    const { blobs, log } = this.ports;
    blobs
      .delete(key)
      .catch((err: unknown) => log.warn({ err, key }, 'the input of a scan was not deleted'));
  }
}

/** No scanner took the task, or it could not be published. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof RequestTimeoutError ||
    error instanceof QueueFullError ||
    error instanceof BrokerUnavailableError
  );
}

const REASONS: ReadonlySet<unknown> = new Set(TECH_REASONS);

/** The only place that parses a message of the `tech-scan` queue into a reply; null: it is none. */
function parseScanReply(value: unknown): ScanReply | null {
  const reply = value as Partial<ScanReply> | null;
  const isReply =
    Array.isArray(reply?.technologies) &&
    reply.technologies.every(isTechnology) &&
    Array.isArray(reply.reasons) &&
    typeof reply.scannedBytes === 'number' &&
    typeof reply.durationMs === 'number';
  if (!isReply) return null;
  // A scanner of a later version may have reasons unknown here.
  const reasons = (reply.reasons as readonly unknown[]).filter(isReason);
  return { ...(reply as ScanReply), reasons };
}

function isReason(value: unknown): value is TechReason {
  return REASONS.has(value);
}

function isTechnology(value: unknown): value is Technology {
  const technology = value as Partial<Technology> | null;
  return (
    typeof technology?.name === 'string' &&
    typeof technology.category === 'string' &&
    typeof technology.confidence === 'number'
  );
}
