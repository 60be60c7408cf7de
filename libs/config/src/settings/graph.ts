import { flag, integer, type Field } from '../fields.js';

/** The company graph. */
export const GRAPH_SETTINGS = {
  graphEnabled: flag(
    'GRAPH_ENABLED',
    'Store what is read of companies in the shared company graph, and answer from it.',
    { fallback: true },
  ),
  graphStaleDays: integer(
    'GRAPH_STALE_DAYS',
    'A company that was last read longer ago is read again in the background when POST /v1/resolve returns it.',
    { fallback: 30, min: 1, max: 3_650 },
  ),
} as const satisfies Record<string, Field<unknown>>;
