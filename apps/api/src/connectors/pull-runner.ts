import { Injectable } from '@nestjs/common';
import type { ConnectorRegistry, RegisteredConnector } from '@app/connectors';
import { ApiError } from '@app/contracts';
import {
  addPullRows,
  claimPull,
  endPull,
  renewPull,
  retryPull,
  type ClaimedPull,
  type KeyedRow,
} from '@app/pulls';
import { BackgroundLoop, type Loop, type LoopGroup, type Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';
import { ConnectorSourcesFactory } from './connector-sources.js';
import { BadRowError, keyedRow, unlessAborted } from './connector-rows.js';
import { InjectConnectors } from './connectors.token.js';
import { connectorLabel } from './preview.service.js';

/** Pulls that one process runs at a time. */
const WORKERS = 4;
/** The pull of a dead worker goes on elsewhere after this time; a live one renews it three times as often. */
const LEASE_MS = 15_000;
/** A pull that fails, or loses its worker, this often never succeeds. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 5_000;
/** A pull always ends. */
const MAX_AGE_MS = 2 * 3_600_000;
/** Rows of one transaction, and how long the first of them waits for others. */
const PART_ROWS = 100;
const PART_MS = 1_000;

/** The pull is no longer this worker's: it was cancelled, or its lease went to another one. */
class LostPullError extends Error {
  override readonly name = 'LostPullError';
}

/** Runs pulls: rows of connectors become rows of the database, each with its charge. */
@Injectable()
export class PullRunner {
  private readonly stopping = new AbortController();
  private loops: readonly BackgroundLoop[] = [];

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'log' | 'metrics'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly sources: ConnectorSourcesFactory,
  ) {}

  /** Its loops, for the process to start and stop. */
  open(): LoopGroup {
    const { log } = this.runtime;
    const loop: Loop = { name: 'pull', intervalMs: 1_000, round: () => this.round() };
    this.loops = Array.from({ length: WORKERS }, () => new BackgroundLoop({ ...loop, log }));
    return {
      loops: this.loops,
      abort: () => this.stopping.abort(new Error('stopping')),
      close: () => Promise.resolve(),
    };
  }

  /** A pull waits. */
  wake(): void {
    for (const loop of this.loops) loop.wake();
  }

  private async round(): Promise<number | null> {
    if (this.stopping.signal.aborted) return null;
    const pull = await claimPull(this.runtime.database, LEASE_MS);
    if (pull === null) return null;
    await this.run(pull);
    return 0;
  }

  private async run(pull: ClaimedPull): Promise<void> {
    const registered = this.connectors.get(pull.connectorId);
    const lost = new AbortController();
    const endRenewal = this.renew(pull, lost);
    try {
      if (registered === null) throw new BadRowError('its connector is no longer loaded');
      if (pull.attempts > MAX_ATTEMPTS) throw new BadRowError('its worker was lost too often');
      const late = AbortSignal.timeout(Math.max(1, Math.ceil(MAX_AGE_MS - pull.ageMs)));
      const signal = AbortSignal.any([this.stopping.signal, lost.signal, late]);
      await this.readRows(pull, registered, signal);
      await this.end(pull, registered, { status: 'completed', error: null });
    } catch (error) {
      await this.onFailure(pull, registered, error, lost.signal);
    } finally {
      endRenewal();
    }
  }

  private async readRows(
    pull: ClaimedPull,
    registered: RegisteredConnector,
    signal: AbortSignal,
  ): Promise<void> {
    const { tenantId: id, plan, agreed, rowLimit, rows: kept } = pull;
    const part = new RowPart(this.runtime.database, pull, (credits) =>
      this.runtime.metrics.creditsCharged.inc({ operation: 'pull' }, credits),
    );
    if (kept >= rowLimit) return;
    const context = {
      ...{ maxRows: rowLimit, signal },
      sources: this.sources.open({ id, plan, agreed, keyId: null }, signal),
      addCost: (microUsd: number) => part.addCost(microUsd),
    };
    const found = registered.connector.run(pull.params, context);
    for await (const row of unlessAborted(found, signal)) {
      if (await part.add(keyedRow(row, registered))) return;
    }
    await part.flush();
  }

  private async onFailure(
    pull: ClaimedPull,
    registered: RegisteredConnector | null,
    error: unknown,
    lost: AbortSignal,
  ): Promise<void> {
    const { database, log } = this.runtime;
    if (lost.aborted || error instanceof LostPullError) return;
    // Another process goes on at once.
    if (this.stopping.signal.aborted) return retryPull(database, pull, 0);
    log.warn({ err: error, pullId: pull.id, attempts: pull.attempts }, 'a pull failed');
    const isLate = pull.ageMs >= MAX_AGE_MS;
    if (!isFinal(error) && !isLate && pull.attempts < MAX_ATTEMPTS)
      return retryPull(database, pull, RETRY_MS * pull.attempts);
    await this.end(pull, registered, { status: 'failed', error: problemOf(error) });
  }

  private async end(
    pull: ClaimedPull,
    registered: RegisteredConnector | null,
    end: { readonly status: 'completed' | 'failed'; readonly error: string | null },
  ): Promise<void> {
    const { database, metrics, log } = this.runtime;
    if (!(await endPull(database, pull, end))) return;
    const connector = registered === null ? 'own' : connectorLabel(registered);
    metrics.pulls.inc({ connector, outcome: end.status });
    log.info({ pullId: pull.id, connector, status: end.status }, 'pull ended');
  }

  private renew(pull: ClaimedPull, lost: AbortController): () => void {
    const { database, log } = this.runtime;
    const timer = setInterval(() => {
      renewPull(database, pull, LEASE_MS)
        .then((isOurs) => {
          if (!isOurs) lost.abort(new LostPullError('the lease is lost'));
        })
        .catch((err: unknown) => log.warn({ err }, 'the lease of a pull was not renewed'));
    }, LEASE_MS / 3);
    return () => clearInterval(timer);
  }
}

/** Rows that wait for their transaction. */
class RowPart {
  private rows: KeyedRow[] = [];
  private costMicroUsd = 0;
  private dueAtMs = 0;

  constructor(
    private readonly database: Runtime['database'],
    private readonly pull: ClaimedPull,
    private readonly onCharged: (credits: number) => void,
  ) {}

  addCost(microUsd: number): void {
    this.costMicroUsd += Math.max(0, Math.round(microUsd));
  }

  /** Resolves to whether the pull is full. @throws LostPullError */
  async add(row: KeyedRow): Promise<boolean> {
    if (this.rows.length === 0) this.dueAtMs = Date.now() + PART_MS;
    this.rows.push(row);
    const isDue = this.rows.length >= PART_ROWS || Date.now() >= this.dueAtMs;
    const isAll = this.pull.rows + this.rows.length >= this.pull.rowLimit;
    return isDue || isAll ? this.flush() : false;
  }

  async flush(): Promise<boolean> {
    const { rows, costMicroUsd } = this;
    if (rows.length === 0 && costMicroUsd === 0) return false;
    this.rows = [];
    this.costMicroUsd = 0;
    const terms = { costMicroUsd, leaseMs: LEASE_MS };
    const added = await addPullRows(this.database, this.pull, rows, terms);
    if (added === null) throw new LostPullError('the lease is lost');
    if (added.credits > 0) this.onCharged(added.credits);
    return added.rows >= added.rowLimit;
  }
}

/** Another try would end the same. */
function isFinal(error: unknown): boolean {
  if (error instanceof BadRowError) return true;
  return error instanceof ApiError && (error.row.status < 500 || error.isPermanent);
}

function problemOf(error: unknown): string {
  if (error instanceof BadRowError) return `The pull failed: ${error.message}.`;
  if (error instanceof ApiError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'The pull took longer than two hours. Its rows so far are kept.';
  return 'The connector failed. Its rows so far are kept.';
}
