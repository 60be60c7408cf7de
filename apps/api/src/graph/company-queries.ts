import type { CompanyGraphQueries, GraphCriteria } from '@app/connectors';
import {
  graphRowOf,
  listBusinesses,
  queryBusinesses,
  type BusinessCriteria,
  type FoundBusiness,
} from '@app/graph';
import type { Runtime } from '@app/runtime';
import type { GraphQueryRequest } from './graph.dto.js';
import { parseGraphQuery } from './parse-graph-query.js';
import { presentGraphRow } from './present-graph.js';

/** POST /v1/graph/query, as the connector of companies asks it. */
export function companyQueries(database: Runtime['database']): CompanyGraphQueries {
  return {
    async page(criteria, page) {
      const { businesses, next } = await listBusinesses(database, parsed(criteria), page);
      return { rows: businesses.map(rowOf), next };
    },
    async sample(criteria, limit) {
      const first = { limit, after: null };
      const { businesses, count } = await queryBusinesses(database, parsed(criteria), first);
      return { rows: businesses.map(rowOf), count };
    },
  };
}

function parsed(criteria: GraphCriteria): BusinessCriteria {
  return parseGraphQuery({ ...criteria } as GraphQueryRequest).criteria;
}

/** The fields of a response row but its id; those without a value are left out. */
function rowOf(found: FoundBusiness): Readonly<Record<string, unknown>> {
  const { id: _, ...row } = presentGraphRow(graphRowOf(found));
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
