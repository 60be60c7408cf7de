import { Injectable } from '@nestjs/common';
import type { Tenant } from '@app/accounts';
import type { ConnectorRegistry } from '@app/connectors';
import { ApiError, isId, PLAN_LIMITS } from '@app/contracts';
import {
  createFeed,
  deleteFeed,
  feedToken,
  findFeed,
  listFeedRuns,
  listFeeds,
  MAX_RUN_ROWS,
  nextTick,
  pauseFeed,
  readFeedEvents,
  renewFeedAddresses,
  requestFeedRun,
  resumeFeed,
  scheduleProblem,
  shortestGapMinutes,
  type Feed,
  type FeedRun,
} from '@app/runs';
import type { Runtime } from '@app/runtime';
import { paramsObject, refuseByPlan } from '../connectors/preview.service.js';
import { InjectConnectors } from '../connectors/connectors.token.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { invalidRequest } from '../http/invalid-request.js';
import { InjectRuntime } from '../runtime.token.js';
import { FeedRunner } from '../runs/feed-runner.js';
import type { FeedEventRow, FeedRowsEvent } from './feed-event.dto.js';
import {
  DEFAULT_FEED_ROWS,
  type FeedDeleted,
  type FeedRequest,
  type FeedRunView,
  type FeedView,
} from './feeds.dto.js';

const LISTED_FEEDS = 1_000;
const LISTED_RUNS = 100;
const DEFAULT_ZONE = 'UTC';
const SHOWN_EVENTS = 5;
/** Of one event: a longer one is for programs. */
const MAX_EVENT_CHARS = 200_000;

/** What one event of a feed delivered. */
export interface FeedNews {
  readonly at: string;
  /** Null: too much to be shown. */
  readonly rows: readonly FeedEventRow[] | null;
}

@Injectable()
export class FeedsService {
  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'downloadSecret' | 'publicUrl'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly targets: TargetCheck,
    private readonly runner: FeedRunner,
  ) {}

  /** @param id of the request: a repeated one gets the same feed @throws ApiError */
  async create(body: FeedRequest, tenant: Tenant, id: string): Promise<FeedView> {
    const registered = this.connectors.get(body.connectorId);
    if (registered === null) throw new ApiError('connector_not_found', { id: body.connectorId });
    refuseByPlan(registered, tenant);
    const params = paramsObject(body.params);
    const problem = registered.paramsProblem(params);
    if (problem !== null) throw invalidRequest(`\`params\` ${problem}`);
    const { pullRows, feeds: limit } = PLAN_LIMITS[tenant.plan];
    const schedule = { cron: body.schedule.trim(), timeZone: body.timeZone ?? DEFAULT_ZONE };
    refuseSchedule(schedule, tenant);
    const webhook = body.webhookUrl ?? null;
    const feed = {
      ...{ id, tenantId: tenant.id, connectorId: body.connectorId, params },
      ...{ schedule: schedule.cron, timeZone: schedule.timeZone },
      webhookUrl: webhook === null ? null : (await this.targets.vet(webhook)).href,
      firstRun: body.firstRun ?? 'silent',
      deliversChanged: body.changed ?? false,
      maxRows: Math.min(body.maxResults ?? DEFAULT_FEED_ROWS, pullRows, MAX_RUN_ROWS),
      nextAt: nextTick(schedule, new Date()),
    } as const;
    const created = await createFeed(this.runtime.database, feed, limit);
    if (created === null) throw new ApiError('too_many_feeds', { limit, plan: tenant.plan });
    return this.present(created);
  }

  /** The newest first. */
  async list(tenant: Tenant): Promise<readonly FeedView[]> {
    const own = this.runtime.database.asReader(tenant.id);
    const feeds = await listFeeds(own, tenant.id, LISTED_FEEDS);
    return feeds.map((feed) => this.present(feed));
  }

  async view(tenant: Tenant, id: string): Promise<FeedView> {
    return this.present(await this.find(tenant, id));
  }

  async pause(tenant: Tenant, id: string): Promise<FeedView> {
    await this.find(tenant, id);
    await pauseFeed(this.runtime.database, tenant.id, id);
    return this.view(tenant, id);
  }

  async resume(tenant: Tenant, id: string): Promise<FeedView> {
    const { schedule: cron, timeZone } = await this.find(tenant, id);
    const nextAt = nextTick({ cron, timeZone }, new Date());
    await resumeFeed(this.runtime.database, { tenantId: tenant.id, id, nextAt });
    return this.view(tenant, id);
  }

  async runNow(tenant: Tenant, id: string): Promise<FeedView> {
    await this.find(tenant, id);
    await requestFeedRun(this.runtime.database, tenant.id, id);
    this.runner.wake();
    return this.view(tenant, id);
  }

  async renewAddresses(tenant: Tenant, id: string): Promise<FeedView> {
    await this.find(tenant, id);
    await renewFeedAddresses(this.runtime.database, tenant.id, id);
    return this.view(tenant, id);
  }

  async runs(tenant: Tenant, id: string): Promise<readonly FeedRunView[]> {
    await this.find(tenant, id);
    const own = this.runtime.database.asReader(tenant.id);
    return (await listFeedRuns(own, id, LISTED_RUNS)).map(presentRun);
  }

  /** What its newest events delivered, the newest first, as far as it can be shown at once. */
  async news(tenant: Tenant, id: string): Promise<readonly FeedNews[]> {
    await this.find(tenant, id);
    const own = this.runtime.database.asReader(tenant.id);
    const bounds = { limit: SHOWN_EVENTS, maxChars: MAX_EVENT_CHARS };
    const events = await readFeedEvents(own, id, bounds);
    return events.map(({ createdAt, body }) => ({
      at: createdAt.toISOString(),
      rows: body === null ? null : (JSON.parse(body) as FeedRowsEvent).rows,
    }));
  }

  async delete(tenant: Tenant, id: string): Promise<FeedDeleted> {
    await this.find(tenant, id);
    if (!(await deleteFeed(this.runtime.database, tenant.id, id)))
      throw new ApiError('feed_not_found');
    return { feedId: id, deleted: true };
  }

  private async find({ id: tenantId }: Tenant, id: string): Promise<Feed> {
    const own = this.runtime.database.asReader(tenantId);
    const feed = isId(id) ? await findFeed(own, tenantId, id) : null;
    if (feed === null) throw new ApiError('feed_not_found');
    return feed;
  }

  private present(feed: Feed): FeedView {
    const { id: feedId, connectorId, params, schedule, timeZone, webhookUrl, firstRun } = feed;
    const { publicUrl, downloadSecret } = this.runtime;
    const at = (format: 'rss' | 'atom' | 'json'): string =>
      `${publicUrl}/feeds/${feedToken(feed, format, downloadSecret)}`;
    return {
      ...{ feedId, connectorId, params, schedule, timeZone, webhookUrl, firstRun },
      ...{ changed: feed.deliversChanged, maxResults: feed.maxRows, status: feed.state },
      ...{ pausedReason: feed.pausedReason, failures: feed.failures, running: feed.isRunning },
      total: feed.rows,
      nextRunAt: feed.nextAt?.toISOString() ?? null,
      lastRunAt: feed.lastRunAt?.toISOString() ?? null,
      createdAt: feed.createdAt.toISOString(),
      addresses: { rss: at('rss'), atom: at('atom'), json: at('json') },
    };
  }
}

/** @throws ApiError */
export function refuseSchedule(
  schedule: { readonly cron: string; readonly timeZone: string },
  { plan }: Tenant,
): void {
  const problem = scheduleProblem(schedule);
  if (problem !== null) throw invalidRequest(problem);
  const minutes = PLAN_LIMITS[plan].feedMinutes;
  if (shortestGapMinutes(schedule, new Date()) < leastGap(minutes))
    throw new ApiError('feed_too_often', { minutes, plan });
}

/** The change to summer time makes a day shorter by an hour: once a day is still once a day. */
function leastGap(minutes: number): number {
  return minutes >= 1_440 ? minutes - 60 : minutes;
}

function presentRun(run: FeedRun): FeedRunView {
  const { id: runId, status, newRows, changedRows, knownRows, credits, error } = run;
  return {
    runId,
    tick: run.tick.toISOString(),
    startedBy: run.isManual ? 'request' : 'schedule',
    ...{ status, newRows, changedRows, knownRows, creditsUsed: credits, error },
    startedAt: run.startedAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}
