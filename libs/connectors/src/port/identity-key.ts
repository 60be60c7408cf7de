import type { ConnectorRow } from './connector.js';

/** A key of these fields: rows are the same when all of them are equal. A missing field counts as empty. */
export function keyOfFields(...fields: readonly string[]): (row: ConnectorRow) => string {
  return (row) => JSON.stringify(fields.map((name) => row[name] ?? null));
}
