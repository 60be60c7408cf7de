import type { BusinessPage, GraphBusiness, GraphRow } from '@app/graph';
import { graphRowOf } from '@app/graph';
import type {
  GraphBusinessView,
  GraphCriteriaView,
  GraphQueryResult,
  GraphRowView,
} from './graph.dto.js';

export function presentGraphPage(
  { businesses, count, isEstimated, next }: BusinessPage,
  criteria: GraphCriteriaView,
): GraphQueryResult {
  return {
    count,
    ...(isEstimated ? { count_estimated: true } : {}),
    results: businesses.map((found) => presentGraphRow(graphRowOf(found))),
    ...(next === null ? {} : { cursor: next }),
    criteria,
  };
}

export function presentGraphRow(row: GraphRow): GraphRowView {
  const { id, domain, name, industry, naics, techStack, city, state, employeeBand, freshness } =
    row;
  return {
    ...{ id, domain, name, industry, naics },
    tech_stack: techStack,
    city,
    state,
    employee_band: employeeBand,
    _freshness: freshness.toISOString(),
  };
}

export function presentGraphBusiness(business: GraphBusiness): GraphBusinessView {
  return {
    ...presentGraphRow(business),
    marketing_summary: business.marketingSummary,
    signal_count: business.signalCount,
  };
}
