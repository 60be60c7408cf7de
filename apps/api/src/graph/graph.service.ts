import { Injectable } from '@nestjs/common';
import { ApiError, isId } from '@app/contracts';
import {
  companyDomain,
  findBusinessById,
  findBusinessByDomain,
  graphBusinessOf,
  queryBusinesses,
} from '@app/graph';
import type { Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';
import type { GraphBusinessView, GraphQueryRequest, GraphQueryResult } from './graph.dto.js';
import { parseGraphQuery } from './parse-graph-query.js';
import { presentGraphBusiness, presentGraphPage } from './present-graph.js';

@Injectable()
export class GraphService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'database'>) {}

  /** @throws ApiError */
  async query(body: GraphQueryRequest): Promise<GraphQueryResult> {
    const { criteria, limit, after, shown } = parseGraphQuery(body);
    this.requireGraph();
    const page = await queryBusinesses(this.runtime.database, criteria, { limit, after });
    return presentGraphPage(page, shown);
  }

  /** @throws ApiError */
  async business(idOrDomain: string): Promise<GraphBusinessView> {
    this.requireGraph();
    const { database } = this.runtime;
    const domain = isId(idOrDomain) ? null : companyDomain(idOrDomain);
    const found = await database.transaction(async (tx) => {
      if (isId(idOrDomain)) return findBusinessById(tx, idOrDomain);
      return domain === null ? null : findBusinessByDomain(tx, domain);
    });
    if (found === null) throw new ApiError('business_not_found');
    return presentGraphBusiness(graphBusinessOf(found));
  }

  private requireGraph(): void {
    if (!this.runtime.settings.graphEnabled)
      throw new ApiError('graph_disabled', {}, { isPermanent: true });
  }
}
