import { randomInt } from 'node:crypto';

const LAST_GROUP_AT = 24;
const LAST_GROUP_END = 16 ** 12;
const LARGEST_STEP = 2 ** 32;

/**
 * Ids that sort by creation, also within a millisecond or after the clock was set back: one that would not is replaced by
 * the last one plus a random step (RFC 9562, 6.2, method 2), so that the next id cannot be guessed.
 */
export function increasingIds(draw: () => string): () => string {
  let last = '';
  return () => {
    let id = draw();
    while (id <= last) id = successor(last) ?? draw();
    return (last = id);
  };
}

/** Null in the rare case that the last group is full. */
function successor(id: string): string | null {
  const count = Number.parseInt(id.slice(LAST_GROUP_AT), 16) + randomInt(1, LARGEST_STEP);
  if (count >= LAST_GROUP_END) return null;
  return id.slice(0, LAST_GROUP_AT) + count.toString(16).padStart(12, '0');
}
