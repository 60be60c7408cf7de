/**
 * The part of `room` pages that the first gets when they are shared as evenly as possible: the one with the fewest in
 * flight is filled up to the next, then both together, and so on.
 * @param busy pages that each has in flight, in ascending order
 */
export function shareOf(busy: readonly number[], room: number): number {
  const [first = 0] = busy;
  let best = room;
  let sum = 0;
  for (const [n, own] of busy.entries()) {
    sum += own;
    // The level of the first n + 1 after they have taken all of the room.
    best = Math.min(best, Math.ceil((sum + room) / (n + 1)) - first);
  }
  return Math.max(0, best);
}

/** One of each list in turn. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const nth = (n: number): T[] => lists.flatMap((list) => list.slice(n, n + 1));
  return Array.from({ length: longest }, (_, n) => nth(n)).flat();
}
