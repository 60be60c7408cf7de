import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  BlobKeyError,
  BlobNotFoundError,
  BlobTooLargeError,
  BlobUnavailableError,
  type BlobStore,
} from '@app/blobs';
import { DropTask, RetryTask, type Delivery } from '@app/broker';
import { Deadline } from '@app/contracts';
import type { Turn, TurnLine } from '@app/turns';
import type { ScanReply, ScanTask, TechReason } from '@app/tech';
import type { Logger, Metrics } from '@app/telemetry';
import { MAX_INPUT_BYTES, MAX_STORED_BYTES } from './scan-input.js';
import type { ScanEnding, ScanPool } from './scan-pool.js';

export interface ScanConsumerOptions {
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly turns: TurnLine;
  readonly pool: Pick<ScanPool, 'run' | 'whole'>;
  readonly cooldown: TenantCooldown;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** With less time than this before its deadline a scan is not started: it would be cut off at once. */
const MIN_SCAN_MS = 100;
const STORAGE_RETRY_MS = 500;

/** Handler of the `tech-scan` queue: detects the technologies of a stored page. */
export function scanHandler(options: ScanConsumerOptions) {
  return async ({ task, signal }: Delivery): Promise<ScanReply> => {
    const reply = await new Scan(parseScanTask(task), signal, options).reply();
    // Requeued, or the connection is lost: another scanner replies.
    signal.throwIfAborted();
    options.metrics.techScans.inc({ outcome: labelOf(reply) });
    return reply;
  };
}

class Scan {
  private readonly deadline: Deadline;

  constructor(
    private readonly task: ScanTask,
    private readonly signal: AbortSignal,
    private readonly options: ScanConsumerOptions,
  ) {
    this.deadline = Deadline.at(task.deadlineAtMs);
  }

  async reply(): Promise<ScanReply> {
    if (this.isCooling()) return emptyReply('tenant_cooldown');
    const latestStart = Deadline.at(this.task.deadlineAtMs - MIN_SCAN_MS);
    if (latestStart.isPassed) return emptyReply('queue_timeout');
    const owner = { tenantId: this.task.tenantId, isFree: false };
    const request = { owner, deadline: latestStart, signal: this.signal };
    const turn = await this.options.turns.take(request);
    if (turn === 'closed') throw new RetryTask(0, 'this scanner is stopping');
    if (typeof turn === 'string') return emptyReply('queue_timeout');
    return this.inTime(this.withTurn(turn));
  }

  private isCooling(): boolean {
    return this.options.cooldown.isCooling(this.task.tenantId);
  }

  /**
   * Replies at the deadline even if the thread has not: the thread works on until it is done or reaches the
   * hard limit, and its turn is kept until then.
   */
  private async inTime(scan: Promise<ScanReply>): Promise<ScanReply> {
    const startedAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<ScanReply>((resolve) => {
      timer = setTimeout(() => {
        resolve(emptyReply('time_budget', performance.now() - startedAt));
      }, this.deadline.remainingMs());
    });
    try {
      return await Promise.race([scan, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async withTurn(turn: Turn): Promise<ScanReply> {
    let isThreadLost = false;
    try {
      // The cool-down may have started while this scan waited.
      if (this.isCooling()) return emptyReply('tenant_cooldown');
      const ending = await this.scan();
      isThreadLost = terminationOf(ending) !== null;
      this.count(ending);
      return replyOf(ending);
    } finally {
      this.releaseTurn(turn, isThreadLost);
    }
  }

  /** The turn of a lost thread passes to its successor: no scan waits for a starting thread. */
  private releaseTurn(turn: Turn, isThreadLost: boolean): void {
    if (isThreadLost) void this.options.pool.whole().then(() => turn.release());
    else turn.release();
  }

  private async scan(): Promise<ScanEnding> {
    try {
      const { blobs, pool } = this.options;
      const stored = await blobs.read(this.task.inputKey, undefined, MAX_STORED_BYTES);
      const json = await unpacked(stored);
      if (json === null) return failedInput('not packed, or too large unpacked');
      return await pool.run(json, this.deadline, this.signal);
    } catch (error) {
      return this.withoutInput(error);
    }
  }

  private withoutInput(error: unknown): ScanEnding {
    if (error instanceof BlobKeyError) throw new DropTask('not a blob key', { cause: error });
    if (error instanceof BlobUnavailableError) {
      throw new RetryTask(STORAGE_RETRY_MS, 'the page could not be read', { cause: error });
    }
    // Missing: the client disconnected, and its input was deleted with the request.
    if (error instanceof BlobNotFoundError || error instanceof BlobTooLargeError) {
      return failedInput(error.message);
    }
    throw error;
  }

  private count(ending: ScanEnding): void {
    const { metrics, log, cooldown } = this.options;
    const { requestId, tenantId } = this.task;
    const termination = terminationOf(ending);
    if (termination !== null) metrics.techScanTerminations.inc({ reason: termination });
    if (ending.kind !== 'late') metrics.techScanSeconds.observe(ending.durationMs / 1_000);
    if (ending.kind === 'failed') {
      const { cause, problem } = ending;
      log.error({ requestId, tenantId, cause, problem }, 'a scan failed');
    }
    // A page that exhausts memory costs its thread like one that never ends.
    if (termination !== 'timeout' && termination !== 'memory') return;
    log.warn({ requestId, tenantId, termination }, 'a scan hit the hard limit');
    if (cooldown.hit(tenantId)) log.warn({ tenantId }, 'scans of this tenant are paused');
  }
}

const gunzipBytes = promisify(gunzip);

/**
 * Decompresses the stored page into a buffer that can be transferred to a scan thread; null if it is not gzip or too
 * large. Not in the scan thread: a thread that may be ended must not use `node:zlib` (see `inflateAtMost` of content).
 */
async function unpacked(stored: Uint8Array): Promise<Uint8Array | null> {
  try {
    return Uint8Array.from(await gunzipBytes(stored, { maxOutputLength: MAX_INPUT_BYTES }));
  } catch {
    return null;
  }
}

function failedInput(problem: string): ScanEnding {
  return { kind: 'failed', cause: 'error', problem, durationMs: 0 };
}

/** No caller waits longer for a scan, and timers count no further than 24 days. */
const MAX_TASK_MS = 600_000;

/** @throws DropTask if it is not a scan task */
function parseScanTask(value: unknown): ScanTask {
  const task = value as Partial<ScanTask> | null;
  const isTask =
    isName(task?.requestId) &&
    isName(task?.tenantId) &&
    isName(task?.inputKey) &&
    typeof task?.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a scan task');
  const { requestId, tenantId, inputKey, deadlineAtMs } = task as ScanTask;
  return {
    requestId,
    tenantId,
    inputKey,
    deadlineAtMs: Math.min(deadlineAtMs, Date.now() + MAX_TASK_MS),
  };
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Label of `trawl_techscan_scans_total`. */
type ScanOutcomeLabel =
  | 'complete'
  | 'partial'
  | 'worker_terminated'
  | 'queue_timeout'
  | 'worker_error'
  | 'tenant_cooldown';

/** A reply without any fingerprint, and the reason. */
function emptyReply(reason: TechReason, durationMs = 0): ScanReply {
  return {
    technologies: [],
    reasons: [reason],
    scannedBytes: 0,
    durationMs: Math.round(durationMs),
  };
}

function replyOf(ending: ScanEnding): ScanReply {
  switch (ending.kind) {
    case 'scanned': {
      const { outcome, durationMs } = ending;
      const { technologies, reasons, scannedBytes } = outcome;
      return { technologies, reasons, scannedBytes, durationMs: Math.round(durationMs) };
    }
    case 'terminated':
      return emptyReply('worker_terminated', ending.durationMs);
    case 'failed':
      return emptyReply('worker_error', ending.durationMs);
    case 'late':
      return emptyReply('queue_timeout');
  }
}

const WHOLE_REASONS = [
  'worker_terminated',
  'queue_timeout',
  'worker_error',
  'tenant_cooldown',
] as const satisfies readonly TechReason[];

function labelOf({ reasons }: ScanReply): ScanOutcomeLabel {
  const whole = WHOLE_REASONS.find((reason) => reasons.includes(reason));
  return whole ?? (reasons.length > 0 ? 'partial' : 'complete');
}

/** Metric reason of a scan that cost its thread; null: it cost none. */
function terminationOf(ending: ScanEnding): 'timeout' | 'memory' | 'crash' | null {
  if (ending.kind === 'terminated') return 'timeout';
  return ending.kind === 'failed' && ending.cause !== 'error' ? ending.cause : null;
}

interface TenantCooldownOptions {
  /** How long fingerprints are skipped for the tenant. */
  readonly cooldownMs: number;
  /** Maximum number of remembered tenants; the one with the oldest last hit is removed first. @default 10_000 */
  readonly maxTenants?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface TenantRecord {
  /** When scans hit the hard limit, oldest first; never more than {@link MAX_HITS}. */
  readonly hits: readonly number[];
  /** 0: not cooling. */
  readonly coolsUntilMs: number;
}

/** Specification, tech_meta `tenant_cooldown`: this many such scans within this time. */
export const MAX_HITS = 5;
export const WINDOW_MS = 10 * 60_000;
const MAX_TENANTS = 10_000;

/**
 * A tenant that keeps sending pages that cost a thread gets no scans for a while: each such page occupies a
 * thread for the whole hard limit, and a new thread must start after it. Counted in this process.
 */
export class TenantCooldown {
  private readonly records = new Map<string, TenantRecord>();
  private readonly cooldownMs: number;
  private readonly maxTenants: number;
  private readonly now: () => number;

  constructor({
    cooldownMs,
    maxTenants = MAX_TENANTS,
    now = () => performance.now(),
  }: TenantCooldownOptions) {
    this.cooldownMs = cooldownMs;
    this.maxTenants = maxTenants;
    this.now = now;
  }

  isCooling(tenantId: string): boolean {
    return this.now() < (this.records.get(tenantId)?.coolsUntilMs ?? 0);
  }

  /** A scan of the tenant hit the hard limit. True: this one starts a cool-down. */
  hit(tenantId: string): boolean {
    // Scans that were running when it started neither extend it nor count for the next.
    if (this.isCooling(tenantId)) return false;
    const now = this.now();
    const before = this.records.get(tenantId)?.hits ?? [];
    const hits = [...before.filter((atMs) => now - atMs < WINDOW_MS), now];
    const isFull = hits.length >= MAX_HITS;
    this.remember(
      tenantId,
      isFull ? { hits: [], coolsUntilMs: now + this.cooldownMs } : { hits, coolsUntilMs: 0 },
    );
    return isFull;
  }

  /** Remembered tenants. */
  get size(): number {
    return this.records.size;
  }

  /** A Map keeps insertion order: its first is the one that was hit longest ago. */
  private remember(tenantId: string, record: TenantRecord): void {
    this.records.delete(tenantId);
    this.records.set(tenantId, record);
    for (const [oldest] of this.records) {
      if (this.records.size <= this.maxTenants) break;
      this.records.delete(oldest);
    }
  }
}
