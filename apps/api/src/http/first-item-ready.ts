/**
 * The same items, of which the first is there. What goes wrong before it is an answer of its own; later
 * the connection is all that can break off.
 */
export async function firstItemReady<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  async function* all(): AsyncGenerator<T> {
    try {
      if (first.done) return;
      yield first.value;
      yield* items;
    } finally {
      await items.return(undefined);
    }
  }
  return all();
}
