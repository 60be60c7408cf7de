import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  csvFile,
  csvHeader,
  csvLine,
  type ConnectorRegistry,
  type ConnectorRow,
} from '@app/connectors';
import { ApiError, isId } from '@app/contracts';
import {
  cancelPull,
  findPull,
  isEndedPull,
  listPulls,
  readPullRows,
  startPull,
  type Pull,
  type StoredRow,
} from '@app/runs';
import { CreditCharges, type Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';
import { PULL_WAIT_MS, WAITED_ROWS } from './connector-limits.js';
import { InjectConnectors } from './connectors.token.js';
import { refuseByPlan } from './preview.service.js';
import { PullRunner } from '../runs/pull-runner.js';
import type { PullCancelled, PullRequest, PullResult, PullRowsPage, PullView } from './pull.dto.js';

const POLL_MS = 200;
const DAY_MS = 86_400_000;
const LISTED = 20;

export interface RowRange {
  readonly after: number;
  readonly most: number;
}

@Injectable()
export class PullService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'metrics'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly runner: PullRunner,
    private readonly charges: CreditCharges,
  ) {}

  /**
   * Pulls a preview. A small pull is waited for; the response says whether it has ended.
   * @param chargeId of the request: a repeated one gets the same pull
   * @throws ApiError
   */
  async pull(
    { jobId, maxResults }: PullRequest,
    call: { readonly tenant: Tenant; readonly chargeId: string; readonly signal: AbortSignal },
  ): Promise<PullResult> {
    const { tenant, chargeId, signal } = call;
    const preview = await this.find(tenant, jobId);
    const registered = this.connectors.get(preview.connectorId);
    if (registered === null) throw new ApiError('connector_not_found', { id: preview.connectorId });
    refuseByPlan(registered, tenant);
    const { database, settings } = this.runtime;
    const keptMs = settings.resultDays * DAY_MS;
    const start = { id: jobId, tenant, chargeId, maxRows: maxResults ?? null, keptMs };
    const started = await startPull(database, start);
    switch (started.kind) {
      case 'unknown':
        throw new ApiError('job_not_found');
      case 'expired':
        throw new ApiError('preview_expired');
      case 'pulled_before':
        throw new ApiError('already_pulled', { jobId });
      case 'unpaid':
        throw this.charges.unpaid(started);
      case 'started':
        this.runner.wake();
        return this.answer(tenant, started.pull, signal);
    }
  }

  private async answer(tenant: Tenant, pull: Pull, signal: AbortSignal): Promise<PullResult> {
    const ended = pull.rowLimit <= WAITED_ROWS ? await this.ended(tenant, pull, signal) : pull;
    if (!isEndedPull(ended.status)) {
      const message = `Poll GET /v1/pull/${pull.id}; rows are at GET /v1/pull/${pull.id}/results.`;
      return { ...presentPull(ended), message };
    }
    const rows: ConnectorRow[] = [];
    for await (const { data } of this.rowsOf(tenant, pull.id, { after: 0, most: WAITED_ROWS }))
      rows.push(JSON.parse(data) as ConnectorRow);
    return { ...presentPull(ended), rows, csv: csvFile(this.columnsOf(ended), rows) };
  }

  /** The pull when it has ended, or as it is when the wait is over. */
  private async ended(tenant: Tenant, pull: Pull, signal: AbortSignal): Promise<Pull> {
    const untilMs = Date.now() + PULL_WAIT_MS;
    let now = pull;
    while (!isEndedPull(now.status) && Date.now() < untilMs) {
      await delay(POLL_MS, undefined, { signal }).catch((cause: unknown) => {
        throw new ApiError('client_gone', {}, { cause });
      });
      now = await this.find(tenant, pull.id);
    }
    return now;
  }

  async view(tenant: Tenant, id: string): Promise<PullView> {
    return presentPull(await this.find(tenant, id));
  }

  /** The newest pulls. */
  async list(tenant: Tenant): Promise<readonly PullView[]> {
    const own = this.runtime.database.asReader(tenant.id);
    return (await listPulls(own, tenant.id, LISTED)).map(presentPull);
  }

  async cancel(tenant: Tenant, id: string): Promise<PullCancelled> {
    await this.find(tenant, id);
    await cancelPull(this.runtime.database, tenant.id, id);
    const { status } = await this.find(tenant, id);
    return { jobId: id, status, cancelled: status === 'cancelled' };
  }

  async page(tenant: Tenant, id: string, range: RowRange): Promise<PullRowsPage> {
    const { status, rows: total } = await this.find(tenant, id);
    const rows: object[] = [];
    let last = range.after;
    for await (const { position, data } of this.rowsOf(tenant, id, range)) {
      rows.push(JSON.parse(data) as object);
      last = position;
    }
    const isMore = last < total || !isEndedPull(status);
    return { jobId: id, status, rows, next: isMore ? String(last) : null };
  }

  /** The names of the fields of its rows. @throws ApiError */
  async columns(tenant: Tenant, id: string): Promise<readonly string[]> {
    return this.columnsOf(await this.find(tenant, id));
  }

  /** Lines of a file, each row as it is read. @throws ApiError before the first line */
  async lines(
    tenant: Tenant,
    id: string,
    { form, ...range }: RowRange & { readonly form: 'ndjson' | 'csv' },
  ): Promise<AsyncGenerator<Buffer>> {
    const pull = await this.find(tenant, id);
    const rows = this.rowsOf(tenant, id, range);
    return form === 'csv' ? csvLines(this.columnsOf(pull), rows) : jsonLines(rows);
  }

  private rowsOf(tenant: Tenant, id: string, range: RowRange): AsyncGenerator<StoredRow> {
    return readPullRows(this.runtime.database.asReader(tenant.id), id, range);
  }

  /** A connector that is no longer loaded has the fields of its rows no more: none are known then. */
  private columnsOf({ connectorId }: Pull): readonly string[] {
    return this.connectors.get(connectorId)?.columns ?? [];
  }

  private async find({ id: tenantId }: Tenant, id: string): Promise<Pull> {
    const own = this.runtime.database.asReader(tenantId);
    const pull = isId(id) ? await findPull(own, tenantId, id) : null;
    if (pull === null) throw new ApiError('job_not_found');
    return pull;
  }
}

async function* jsonLines(rows: AsyncGenerator<StoredRow>): AsyncGenerator<Buffer> {
  for await (const { data } of rows) yield Buffer.from(`${data}\n`);
}

async function* csvLines(
  columns: readonly string[],
  rows: AsyncGenerator<StoredRow>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHeader(columns));
  for await (const { data } of rows)
    yield Buffer.from(csvLine(columns, JSON.parse(data) as ConnectorRow));
}

function presentPull(pull: Pull): PullView {
  const { id: jobId, connectorId, params, status, rows, rowLimit, credits, error } = pull;
  return {
    ...{ jobId, connectorId, params, status, total: rows, maxResults: rowLimit },
    ...{ creditsUsed: credits, error },
    createdAt: pull.createdAt.toISOString(),
    completedAt: pull.completedAt?.toISOString() ?? null,
    expiresAt: pull.expiresAt.toISOString(),
  };
}
