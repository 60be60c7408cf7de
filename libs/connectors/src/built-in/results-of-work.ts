/**
 * Results of work on each item, in the order in which they come, `width` at a time. It runs only as fast as it is read,
 * plus the work under way; ending the iteration starts no more.
 */
export async function* resultsOfWork<Item, Result>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Map<number, Promise<{ readonly at: number; readonly result: Result }>>();
  let started = 0;
  const iterator = items[Symbol.iterator]();
  const begin = (): void => {
    while (running.size < width) {
      const next = iterator.next();
      if (next.done === true) return;
      const at = started++;
      const one = work(next.value).then((result) => ({ at, result }));
      // A failure is thrown where it is awaited; until then it is no unhandled one.
      one.catch(() => undefined);
      running.set(at, one);
    }
  };
  begin();
  while (running.size > 0) {
    const { at, result } = await Promise.race(running.values());
    running.delete(at);
    yield result;
    begin();
  }
}
