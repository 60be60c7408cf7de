import { randomUUIDv7 } from 'node:crypto';
import { increasingIds } from './increasing-ids.js';

/** A new UUIDv7 (RFC 9562): ids sort by creation and index pages stay warm. Those of one process sort strictly. */
export const newId = increasingIds(randomUUIDv7);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}
