import { Injectable } from '@nestjs/common';
import type { ConnectorRegistry, RegisteredConnector } from '@app/connectors';
import {
  addPullRows,
  claimPull,
  endPull,
  releasePull,
  renewPull,
  retryPull,
  type ClaimedPull,
  type KeyedRow,
} from '@app/runs';
import type { LoopGroup, Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';
import { ConnectorSourcesFactory } from '../connectors/connector-sources.js';
import { BadRowError, keyedRow, unlessAborted } from '../connectors/connector-rows.js';
import { InjectConnectors } from '../connectors/connectors.token.js';
import { connectorLabel } from '../connectors/preview.service.js';
import {
  isFinal,
  RUN_LEASE_MS,
  LostRunError,
  MAX_RUN_ATTEMPTS,
  PART_MS,
  PART_ROWS,
  problemOf,
  RUN_RETRY_MS,
  RunWorkers,
} from './run-workers.js';

/** A pull always ends. */
const MAX_AGE_MS = 2 * 3_600_000;
const PULL = { name: 'pull', longest: 'two hours' };

/** Runs pulls: rows of connectors become rows of the database, each with its charge. */
@Injectable()
export class PullRunner {
  private readonly workers: RunWorkers;

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'log' | 'metrics'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly sources: ConnectorSourcesFactory,
  ) {
    this.workers = new RunWorkers('pull', runtime.log);
  }

  /** Its loops, for the process to start and stop. */
  open(): LoopGroup {
    const { database } = this.runtime;
    return this.workers.open(
      () => claimPull(database, RUN_LEASE_MS),
      (pull) => this.run(pull),
    );
  }

  /** A pull waits. */
  wake(): void {
    this.workers.wake();
  }

  private async run(pull: ClaimedPull): Promise<void> {
    const registered = this.connectors.get(pull.connectorId);
    const lease = this.workers.keepLease(() =>
      renewPull(this.runtime.database, pull, RUN_LEASE_MS),
    );
    try {
      if (registered === null) throw new BadRowError('its connector is no longer loaded');
      if (pull.attempts > MAX_RUN_ATTEMPTS) throw new BadRowError('its worker was lost too often');
      const late = AbortSignal.timeout(Math.max(1, Math.ceil(MAX_AGE_MS - pull.ageMs)));
      const signal = AbortSignal.any([this.workers.stopping, lease.lost, late]);
      await this.readRows(pull, registered, signal);
      await this.end(pull, registered, { status: 'completed', error: null });
    } catch (error) {
      await this.onFailure(pull, registered, error, lease.lost);
    } finally {
      lease.release();
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
    if (lost.aborted || error instanceof LostRunError) return;
    if (this.workers.stopping.aborted) return releasePull(database, pull);
    log.warn({ err: error, pullId: pull.id, attempts: pull.attempts }, 'a pull failed');
    const isLate = pull.ageMs >= MAX_AGE_MS;
    if (!isFinal(error) && !isLate && pull.attempts < MAX_RUN_ATTEMPTS)
      return retryPull(database, pull, RUN_RETRY_MS * pull.attempts);
    await this.end(pull, registered, { status: 'failed', error: problemOf(error, PULL) });
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

  /** Resolves to whether the pull is full. @throws LostRunError */
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
    const terms = { costMicroUsd, leaseMs: RUN_LEASE_MS };
    const added = await addPullRows(this.database, this.pull, rows, terms);
    if (added === null) throw new LostRunError('the lease is lost');
    if (added.credits > 0) this.onCharged(added.credits);
    return added.rows >= added.rowLimit;
  }
}
