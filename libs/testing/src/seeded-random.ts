/** A repeatable source of numbers: the same seed gives the same sequence on every machine. */
export interface SeededRandom {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** One of `items`; throws when there are none. */
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: 32 bits of state, good enough for test data, not for secrets. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { next, int, pick: (items) => itemAt(items, int(0, items.length - 1)) };
}

function itemAt<T>(items: readonly T[], index: number): T {
  if (items.length === 0) throw new Error('nothing to pick from');
  return items[index] as T;
}
