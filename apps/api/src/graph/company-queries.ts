import type { CompanyGraphQueries } from '@app/connectors';
import { queryBusinesses } from '@app/graph';
import type { Runtime } from '@app/runtime';
import type { GraphQueryRequest } from './graph.dto.js';
import { parseGraphQuery } from './parse-graph-query.js';
import { presentGraphPage } from './present-graph.js';

/** POST /v1/graph/query, as the connector of companies asks it: its rows have the same fields, without their id. */
export function companyQueries(database: Runtime['database']): CompanyGraphQueries {
  return {
    async page(criteria, { limit, after }) {
      const { criteria: parsed, shown } = parseGraphQuery({ ...criteria } as GraphQueryRequest);
      const page = await queryBusinesses(database, parsed, { limit, after });
      const { results, count } = presentGraphPage(page, shown);
      const rows = results.map(({ id: _, ...row }) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      );
      return { rows, count, next: page.next };
    },
  };
}
