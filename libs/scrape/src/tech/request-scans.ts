import { scanInputKey, type BlobStore } from '@app/blobs';
import {
  BrokerUnavailableError,
  QueueFullError,
  RequestTimeoutError,
  type TaskQueue,
} from '@app/broker';
import {
  newId,
  TECH_REASONS,
  TECH_SOURCES,
  type Deadline,
  type Plan,
  type ScanReply,
  type ScanTask,
  type TechReason,
  type TechReport,
  type TechSource,
} from '@app/contracts';
import { waitAtMost } from '@app/database';
import { mergeTechnologies } from '@app/tech';
import type { Logger } from '@app/telemetry';
import { parseScanReply } from './scan-reply.js';

export interface ScanPorts {
  readonly queue: Pick<TaskQueue, 'request'>;
  readonly blobs: Pick<BlobStore, 'put' | 'delete'>;
  readonly log: Logger;
  /** Once the scans of a request took that long together, waiting included, none is begun any more. */
  readonly requestBudgetMs: number;
  /** Longest that one scan is waited for: its hard limit, and some time until a scanner is free. */
  readonly patienceMs: number;
}

/** Whose scans they are, and until when they are of use. */
export interface ScanTerms {
  readonly requestId: string;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

/** An answer that is ready at its deadline still has to come back. */
const REPLY_GRACE_MS = 300;

/**
 * The scans of one request, one after the other: a request takes one scanner at most, and its budget
 * is a sum. Whatever goes wrong with a scan is a reason of the report; nothing rejects.
 *
 * Nobody who answers, or a queue that is full, ends the asking: the pages that are left would wait in
 * vain as long again.
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
   * Has a page scanned.
   * @param name of the page in the report; of pages of one name the first is scanned
   * @param input see `packScanInput`; stored at once, so that pages that wait take no memory here
   */
  add(name: string, input: Uint8Array): void {
    if (this.names.size === this.names.add(name).size || this.isOver()) return;
    const stored = this.store(input);
    this.last = this.last.then(async () => this.scan(name, await stored));
  }

  /** What of a deep scan came about. */
  note(found: {
    readonly reasons: readonly TechReason[];
    readonly sources: readonly TechSource[];
  }) {
    for (const reason of found.reasons) this.reasons.add(reason);
    for (const source of found.sources) this.sources.add(source);
  }

  /**
   * All pages added so far together. Leaves nothing stored.
   * @param order names of the pages: in it they are joined, whichever came first
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

  /** Whether no further page is scanned; the report then says why. */
  private isOver(): boolean {
    const { deadline, signal } = this.terms;
    const isSpent = this.spentMs >= this.ports.requestBudgetMs || deadline.isPassed;
    if (!this.isAnswered) this.reasons.add('queue_timeout');
    else if (isSpent) this.reasons.add('request_budget');
    return !this.isAnswered || isSpent || signal.aborted;
  }

  /** The key of the stored input; null: storage does not take it. */
  private async store(input: Uint8Array): Promise<string | null> {
    const { tenantId, requestId, deadline } = this.terms;
    const key = scanInputKey(tenantId, newId());
    try {
      await waitAtMost(deadline.remainingMs(), this.ports.blobs.put(key, input));
      return key;
    } catch (err) {
      this.ports.log.warn({ err, tenantId, requestId }, 'a page was not stored for its scan');
      // It may arrive after all.
      this.remove(key);
      return null;
    }
  }

  private async scan(name: string, inputKey: string | null): Promise<void> {
    if (inputKey === null) return void this.reasons.add('worker_error');
    const startedAt = performance.now();
    try {
      if (this.isOver()) return;
      const reply = parseScanReply(await this.ask(inputKey));
      if (reply === null) this.reasons.add('worker_error');
      else this.scanned.set(name, reply);
    } catch (error) {
      this.failed(error);
    } finally {
      this.spentMs += performance.now() - startedAt;
      this.remove(inputKey);
    }
  }

  private ask(inputKey: string): Promise<unknown> {
    const { requestId, tenantId, plan, signal } = this.terms;
    const deadline = this.terms.deadline.within(this.ports.patienceMs);
    const task: ScanTask = { requestId, tenantId, inputKey, deadlineAtMs: deadline.atMs };
    const timeoutMs = deadline.remainingMs() + REPLY_GRACE_MS;
    const owner = { tenantId, isFree: plan === 'free' };
    return this.ports.queue.request('tech-scan', task, { timeoutMs, signal, owner });
  }

  private failed(err: unknown): void {
    const { tenantId, requestId, signal } = this.terms;
    // The request was given back: nobody reads its report.
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

/** Nobody took the task, or nobody could be given it. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof RequestTimeoutError ||
    error instanceof QueueFullError ||
    error instanceof BrokerUnavailableError
  );
}
