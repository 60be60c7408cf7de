import { Injectable } from '@nestjs/common';
import {
  creditsFor,
  readRequest,
  type ConnectorParams,
  type ConnectorRegistry,
  type RegisteredConnector,
} from '@app/connectors';
import { ApiError, PLAN_LIMITS } from '@app/contracts';
import { createPreview, type Pull } from '@app/runs';
import { releaseDaily, reserveDaily, utcDay, type Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { isStorable } from '@app/content';
import { dayUsedUp } from '../accounts/limits/day-used-up.js';
import { invalidRequest } from '../http/invalid-request.js';
import { InjectRuntime } from '../runtime.token.js';
import {
  DEFAULT_PULL_ROWS,
  PREVIEW_LIFE_MS,
  PREVIEW_TIMEOUT_MS,
  SAMPLE_ROWS,
  MAX_PARAMS_CHARS,
} from './connector-limits.js';
import { ConnectorSourcesFactory } from './connector-sources.js';
import { InjectConnectors } from './connectors.token.js';
import type { PreviewRequest, PreviewResult } from './preview.dto.js';
import { UNSTORABLE } from '../http/fields.js';

/** The caller of a preview, and the id that it gets. */
export interface PreviewCall {
  readonly tenant: Tenant;
  readonly id: string;
  readonly signal: AbortSignal;
}

/** A preview of checked parameters. */
export interface PreviewOrder {
  readonly registered: RegisteredConnector;
  readonly params: ConnectorParams;
  readonly maxResults: number | null;
}

@Injectable()
export class PreviewService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'metrics' | 'log'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly sources: ConnectorSourcesFactory,
  ) {}

  /** @throws ApiError */
  async preview(body: PreviewRequest, call: PreviewCall): Promise<PreviewResult> {
    const registered = this.connectors.get(body.connectorId);
    if (registered === null) throw new ApiError('connector_not_found', { id: body.connectorId });
    const params = paramsOf(body, registered);
    return this.run({ registered, params, maxResults: body.maxResults ?? null }, call);
  }

  /** A preview is free; a day of it is limited. @throws ApiError */
  async run(order: PreviewOrder, call: PreviewCall): Promise<PreviewResult> {
    const { registered, params } = order;
    refuseByPlan(registered, call.tenant);
    const problem = registered.paramsProblem(params);
    if (problem !== null) throw invalidRequest(`\`params\` ${problem}`);
    const { id: tenantId, plan } = call.tenant;
    const limit = PLAN_LIMITS[plan].previewsPerDay;
    const quota = { tenantId, operation: 'preview', day: utcDay() } as const;
    const { database } = this.runtime;
    const { ok } = await reserveDaily(database, { ...quota, limit });
    if (!ok) throw dayUsedUp('preview_quota', limit, plan);
    try {
      return await this.read(order, call);
    } catch (error) {
      // The sources were asked for a caller who hung up: the work is done.
      if (call.signal.aborted) throw error;
      await releaseDaily(database, quota).catch((err: unknown) =>
        this.runtime.log.warn({ err }, 'a preview was not given back'),
      );
      throw error;
    }
  }

  private async read(
    order: PreviewOrder,
    { tenant, id, signal }: PreviewCall,
  ): Promise<PreviewResult> {
    const { registered, params, maxResults } = order;
    const { connector } = registered;
    const rowLimit = Math.min(maxResults ?? DEFAULT_PULL_ROWS, PLAN_LIMITS[tenant.plan].pullRows);
    const until = AbortSignal.any([signal, AbortSignal.timeout(PREVIEW_TIMEOUT_MS)]);
    let costMicroUsd = 0;
    const context = {
      ...{ maxRows: SAMPLE_ROWS, signal: until, sources: this.sources.open(tenant, until) },
      addCost: (microUsd: number) => void (costMicroUsd += microUsd),
    };
    const found = await connector.preview(params, context);
    const isMock = found.isMock === true;
    const price = isMock ? FREE : registered.price;
    const estimatedRows = Math.min(found.estimatedRows ?? rowLimit, rowLimit);
    const pull = await createPreview(this.runtime.database, {
      ...{ id, tenantId: tenant.id, connectorId: connector.id, params, rowLimit, price },
      ...{ estimatedRows: found.estimatedRows, lifeMs: PREVIEW_LIFE_MS },
    });
    this.runtime.metrics.previews.inc({ connector: connectorLabel(registered) });
    const usd = isMock ? 0 : connector.pricePerRecordUsd;
    return {
      ...presentPreview(pull),
      estimatedRows,
      estimatedCostUsd: rounded(estimatedRows * usd),
      estimatedCredits: creditsFor(estimatedRows, price),
      cogsUsd: rounded(costMicroUsd / 1e6),
      sample: found.rows.slice(0, SAMPLE_ROWS),
      ...(isMock ? { mock: true } : {}),
    };
  }
}

const FREE = { credits: 0, rows: 1 } as const;

function presentPreview({ id, connectorId, params, expiresAt }: Pull) {
  return { connectorId, params, jobId: id, expiresAt: expiresAt.toISOString() };
}

/** Metrics count the operator's own connectors together: their number is not ours to bound. */
export function connectorLabel({ connector, isOwn }: RegisteredConnector): string {
  return isOwn ? 'own' : connector.id;
}

function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

/** @throws ApiError */
export function refuseByPlan(
  { connector }: RegisteredConnector,
  { plan }: Pick<Tenant, 'plan'>,
): void {
  if (connector.needsSearchPlan === true && !PLAN_LIMITS[plan].hasSearch)
    throw new ApiError('search_not_in_plan', { plan });
}

/** Parameters of the fields; those that `params` lacks are read from the words of `query`. @throws ApiError */
function paramsOf(
  { query, params }: PreviewRequest,
  { connector }: RegisteredConnector,
): ConnectorParams {
  const own = paramsObject(params);
  if (query === undefined || query === null) return own;
  const matched = connector.match(readRequest(query))?.params;
  const inWords = 'query' in connector.params.properties ? { query: query.trim() } : {};
  return { ...(matched ?? inWords), ...own };
}

/** The `params` of a request, before the connector checks them. @throws ApiError */
export function paramsObject(value: unknown): ConnectorParams {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidRequest('`params` must be an object');
  const text = JSON.stringify(value);
  if (text.length > MAX_PARAMS_CHARS)
    throw invalidRequest(`\`params\` is larger than ${MAX_PARAMS_CHARS} characters of JSON`);
  if (!isStorable(value)) throw invalidRequest(`\`params\` ${UNSTORABLE}`);
  return value as ConnectorParams;
}
