/**
 * Returns the same items once the first is ready. An error before it can still become an error response;
 * later the response can only be cut off.
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
