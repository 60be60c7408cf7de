import { Injectable } from '@nestjs/common';
import type { ConnectorRegistry, ConnectorSources, RegisteredConnector } from '@app/connectors';
import { ApiError, PLAN_LIMITS, type Plan } from '@app/contracts';
import {
  addFeedRows,
  claimFeed,
  endFeedRun,
  MAX_RUN_CHARS,
  renewFeed,
  type ClaimedFeed,
  type RunTerms,
} from '@app/feeds';
import { BackgroundLoop, type Loop, type LoopGroup, type Runtime } from '@app/runtime';
import { BadRowError, keyedRow, unlessAborted } from '../connectors/connector-rows.js';
import { ConnectorSourcesFactory } from '../connectors/connector-sources.js';
import { InjectConnectors } from '../connectors/connectors.token.js';
import { connectorLabel } from '../connectors/preview.service.js';
import { InjectRuntime } from '../runtime.token.js';
import { classifyRows, pausedBody, type WaitingRow } from './feed-part.js';

/** Feeds that one process runs at a time. */
const WORKERS = 4;
/** The run of a dead worker goes on elsewhere after this time; a live one renews it three times as often. */
const LEASE_MS = 15_000;
/** A run that fails, or loses its worker, this often has failed. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 5_000;
/** A run always ends. */
const MAX_AGE_MS = 3_600_000;
/** Rows of one event and its transaction, their characters, and how long the first of them waits for others. */
const PART_ROWS = 100;
const PART_CHARS = 256 * 1024;
const PART_MS = 1_000;

/** The run is no longer this worker's: its feed was deleted, or its lease went to another one. */
class LostRunError extends Error {
  override readonly name = 'LostRunError';
}

/** Runs feeds when they are due: new rows of a connector become events, each with its charge. */
@Injectable()
export class FeedRunner {
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
    const loop: Loop = { name: 'feed', intervalMs: 1_000, round: () => this.round() };
    this.loops = Array.from({ length: WORKERS }, () => new BackgroundLoop({ ...loop, log }));
    return {
      loops: this.loops,
      abort: () => this.stopping.abort(new Error('stopping')),
      close: () => Promise.resolve(),
    };
  }

  /** A run was requested. */
  wake(): void {
    for (const loop of this.loops) loop.wake();
  }

  private async round(): Promise<number | null> {
    if (this.stopping.signal.aborted) return null;
    const termsOf = (feed: { readonly connectorId: string; readonly plan: Plan }): RunTerms =>
      this.termsOf(feed);
    const feed = await claimFeed(this.runtime.database, { leaseMs: LEASE_MS, termsOf });
    if (feed === null) return null;
    await this.run(feed);
    return 0;
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
    const lost = new AbortController();
    const endRenewal = this.renew(feed, lost);
    try {
      const { connector } = usable(registered, feed);
      const age = Date.now() - feed.startedAt.getTime();
      const late = AbortSignal.timeout(Math.max(1, Math.min(MAX_AGE_MS, MAX_AGE_MS - age)));
      const signal = AbortSignal.any([this.stopping.signal, lost.signal, late]);
      const part = new FeedPart(this.runtime, feed, usable(registered, feed));
      const { tenantId: id, plan, agreed } = feed;
      const context = {
        ...{ maxRows: feed.rowLimit, signal },
        sources: liveOnly(this.sources.open({ id, plan, agreed, keyId: null }, signal)),
        addCost: (microUsd: number) => part.addCost(microUsd),
      };
      await part.readAll(connector.run(feed.params, context), signal);
      await this.end(feed, registered, null);
    } catch (error) {
      await this.onFailure(feed, registered, { error, lost: lost.signal });
    } finally {
      endRenewal();
    }
  }

  private async onFailure(
    feed: ClaimedFeed,
    registered: RegisteredConnector | null,
    { error, lost }: { readonly error: unknown; readonly lost: AbortSignal },
  ): Promise<void> {
    const { database, log } = this.runtime;
    if (lost.aborted || error instanceof LostRunError) return;
    // Another process goes on at once.
    if (this.stopping.signal.aborted) return void (await renewFeed(database, feed, 0));
    log.warn({ err: error, feedId: feed.id, attempts: feed.attempts }, 'a run of a feed failed');
    if (!isFinal(error) && feed.attempts < MAX_ATTEMPTS)
      return void (await renewFeed(database, feed, RETRY_MS * feed.attempts));
    await this.end(feed, registered, problemOf(error));
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

  private renew(feed: ClaimedFeed, lost: AbortController): () => void {
    const { database, log } = this.runtime;
    const timer = setInterval(() => {
      renewFeed(database, feed, LEASE_MS)
        .then((isOurs) => {
          if (!isOurs) lost.abort(new LostRunError('the lease is lost'));
        })
        .catch((err: unknown) => log.warn({ err }, 'the lease of a feed was not renewed'));
    }, LEASE_MS / 3);
    return () => clearInterval(timer);
  }
}

/** @throws BadRowError */
function usable(registered: RegisteredConnector | null, feed: ClaimedFeed): RegisteredConnector {
  if (registered === null) throw new BadRowError('its connector is no longer loaded');
  if (feed.isUnpaid) throw new BadRowError('no credits are left');
  if (feed.attempts > MAX_ATTEMPTS) throw new BadRowError('its worker was lost too often');
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
    const added = await addFeedRows(database, feed, { ...part, costMicroUsd, leaseMs: LEASE_MS });
    if (added === null) throw new LostRunError('the lease is lost');
    this.counted = added.rows;
    if (added.credits > 0) metrics.creditsCharged.inc({ operation: 'feed' }, added.credits);
    for (const { kind } of part.rows) metrics.feedRows.inc({ kind });
  }
}

/** Another attempt would end the same. */
function isFinal(error: unknown): boolean {
  if (error instanceof BadRowError) return true;
  return error instanceof ApiError && (error.row.status < 500 || error.isPermanent);
}

function problemOf(error: unknown): string {
  if (error instanceof BadRowError) return `The run failed: ${error.message}.`;
  if (error instanceof ApiError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'The run took longer than an hour. Its rows so far are kept.';
  return 'The connector failed. Its rows so far are kept.';
}
