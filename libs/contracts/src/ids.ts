import { randomUUIDv7 } from 'node:crypto';

/** A new UUIDv7 (RFC 9562): time-ordered, so ids sort by creation and index pages stay warm. */
export function newId(): string {
  return randomUUIDv7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}
