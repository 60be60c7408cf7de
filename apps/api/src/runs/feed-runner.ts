import { Injectable } from '@nestjs/common';
import type { ConnectorRegistry, ConnectorSources, RegisteredConnector } from '@app/connectors';
import { PLAN_LIMITS, type Plan } from '@app/contracts';
import {
  addFeedRows,
  claimFeed,
  endFeedRun,
  MAX_RUN_CHARS,
  releaseFeed,
  renewFeed,
  type ClaimedFeed,
  type RunTerms,
} from '@app/runs';
import type { LoopGroup, Runtime } from '@app/runtime';
import { BadRowError, keyedRow, unlessAborted } from '../connectors/connector-rows.js';
import { ConnectorSourcesFactory } from '../connectors/connector-sources.js';
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
import { InjectRuntime } from '../runtime.token.js';
import { classifyRows, pausedBody, type WaitingRow } from './feed-part.js';

/** A run always ends. */
const MAX_AGE_MS = 3_600_000;
const RUN = { name: 'run', longest: 'an hour' };
/** Of one event and its transaction. */
const PART_CHARS = 256 * 1024;

/** Runs feeds when they are due: new rows of a connector become events, each with its charge. */
@Injectable()
export class FeedRunner {
  private readonly workers: RunWorkers;

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'log' | 'metrics'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly sources: ConnectorSourcesFactory,
  ) {
    this.workers = new RunWorkers('feed', runtime.log);
  }

  /** Its loops, for the process to start and stop. */
  open(): LoopGroup {
    const { database } = this.runtime;
    const termsOf = (feed: { readonly connectorId: string; readonly plan: Plan }): RunTerms =>
      this.termsOf(feed);
    return this.workers.open(
      () => claimFeed(database, { leaseMs: RUN_LEASE_MS, termsOf }),
      (feed) => this.run(feed),
    );
  }

  /** A run was requested. */
  wake(): void {
    this.workers.wake();
  }

  /** By the plan of today: it may be another one than when the feed was created. */
  private termsOf({
    connectorId,
    plan,
  }: {
    readonly connectorId: string;
    readonly plan: Plan;
  }): RunTerms {
    const price = this.connectors.get(connectorId)?.price ?? { credits: 0, rows: 1 };
    return { ...price, maxRows: PLAN_LIMITS[plan].pullRows };
  }

  private async run(feed: ClaimedFeed): Promise<void> {
    const registered = this.connectors.get(feed.connectorId);
    const lease = this.workers.keepLease(() =>
      renewFeed(this.runtime.database, feed, RUN_LEASE_MS),
    );
    try {
      const usable = usableOf(registered, feed);
      const age = Date.now() - feed.startedAt.getTime();
      const late = AbortSignal.timeout(Math.max(1, Math.min(MAX_AGE_MS, MAX_AGE_MS - age)));
      const signal = AbortSignal.any([this.workers.stopping, lease.lost, late]);
      const part = new FeedPart(this.runtime, feed, usable);
      const { tenantId: id, plan, agreed } = feed;
      const context = {
        ...{ maxRows: feed.rowLimit, signal },
        sources: liveOnly(this.sources.open({ id, plan, agreed, keyId: null }, signal)),
        addCost: (microUsd: number) => part.addCost(microUsd),
      };
      await part.readAll(usable.connector.run(feed.params, context), signal);
      await this.end(feed, registered, null);
    } catch (error) {
      await this.onFailure(feed, registered, { error, lost: lease.lost });
    } finally {
      lease.release();
    }
  }

  private async onFailure(
    feed: ClaimedFeed,
    registered: RegisteredConnector | null,
    { error, lost }: { readonly error: unknown; readonly lost: AbortSignal },
  ): Promise<void> {
    const { database, log } = this.runtime;
    if (lost.aborted || error instanceof LostRunError) return;
    if (this.workers.stopping.aborted) return releaseFeed(database, feed);
    log.warn({ err: error, feedId: feed.id, attempts: feed.attempts }, 'a run of a feed failed');
    if (!isFinal(error) && feed.attempts < MAX_RUN_ATTEMPTS)
      return void (await renewFeed(database, feed, RUN_RETRY_MS * feed.attempts));
    await this.end(feed, registered, problemOf(error, RUN));
  }

  private async end(
    feed: ClaimedFeed,
    registered: RegisteredConnector | null,
    error: string | null,
  ): Promise<void> {
    const { database, metrics, log } = this.runtime;
    const body = (id: string, reason: string): string => pausedBody(feed, id, reason);
    const ended = await endFeedRun(database, feed, { error, pausedBody: body });
    if (ended === null) return;
    const connector = registered === null ? 'own' : connectorLabel(registered);
    metrics.feedRuns.inc({ connector, outcome: error === null ? 'completed' : 'failed' });
    if (ended.isPaused) metrics.feedsPaused.inc();
    const { id: feedId, runId } = feed;
    log.info(
      { feedId, runId, connector, error, isPaused: ended.isPaused },
      'a run of a feed ended',
    );
  }
}

/** @throws BadRowError */
function usableOf(registered: RegisteredConnector | null, feed: ClaimedFeed): RegisteredConnector {
  if (registered === null) throw new BadRowError('its connector is no longer loaded');
  if (feed.isUnpaid) throw new BadRowError('no credits are left');
  if (feed.attempts > MAX_RUN_ATTEMPTS) throw new BadRowError('its worker was lost too often');
  return registered;
}

/** Sample rows name nothing real: a feed of them would charge for nothing. */
function liveOnly(sources: ConnectorSources): ConnectorSources {
  return {
    ...sources,
    async findBusinesses(search) {
      const found = await sources.findBusinesses(search);
      if (found.isMock) throw new BadRowError('the maps scraper has only sample rows on this plan');
      return found;
    },
  };
}

/** Rows that wait for their transaction. */
class FeedPart {
  private waiting: WaitingRow[] = [];
  private chars = 0;
  private runChars = 0;
  private costMicroUsd = 0;
  private dueAtMs = 0;
  private counted: number;

  constructor(
    private readonly runtime: Pick<Runtime, 'database' | 'metrics'>,
    private readonly feed: ClaimedFeed,
    private readonly registered: RegisteredConnector,
  ) {
    this.counted = feed.countedRows;
  }

  addCost(microUsd: number): void {
    this.costMicroUsd += Math.max(0, Math.round(microUsd));
  }

  /** @throws LostRunError, BadRowError */
  async readAll(found: Parameters<typeof unlessAborted>[0], signal: AbortSignal): Promise<void> {
    // Rows that an earlier attempt counted come again, and are left out.
    let left = this.feed.rowLimit;
    for await (const row of unlessAborted(found, signal)) {
      if (left-- <= 0) break;
      await this.add({ ...keyedRow(row, this.registered), row });
    }
    await this.flush();
  }

  private async add(row: WaitingRow): Promise<void> {
    if (this.waiting.length === 0) this.dueAtMs = Date.now() + PART_MS;
    this.waiting.push(row);
    this.chars += row.data.length;
    this.runChars += row.data.length;
    if (this.runChars > MAX_RUN_CHARS)
      throw new BadRowError(`its rows are larger than ${MAX_RUN_CHARS} characters`);
    const isFull = this.waiting.length >= PART_ROWS || this.chars >= PART_CHARS;
    if (isFull || Date.now() >= this.dueAtMs) await this.flush();
  }

  private async flush(): Promise<void> {
    const { waiting, costMicroUsd, feed, registered } = this;
    if (waiting.length === 0 && costMicroUsd === 0) return;
    [this.waiting, this.chars, this.costMicroUsd] = [[], 0, 0];
    const { database, metrics } = this.runtime;
    const room = feed.rowLimit - this.counted;
    const part = await classifyRows(database, feed, { waiting, room, registered });
    const added = await addFeedRows(database, feed, {
      ...part,
      costMicroUsd,
      leaseMs: RUN_LEASE_MS,
    });
    if (added === null) throw new LostRunError('the lease is lost');
    this.counted = added.rows;
    if (added.credits > 0) metrics.creditsCharged.inc({ operation: 'feed' }, added.credits);
    for (const { kind } of part.rows) metrics.feedRows.inc({ kind });
  }
}
