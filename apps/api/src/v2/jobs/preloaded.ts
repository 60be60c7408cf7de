/**
 * The same pieces, once this many bytes of them, or all, are ready. An error among them can still become an error
 * response; later the response can only be cut off.
 */
export async function preloaded(
  pieces: AsyncGenerator<Buffer>,
  maxBytes: number,
): Promise<AsyncGenerator<Buffer>> {
  const ready: Buffer[] = [];
  let bytes = 0;
  while (bytes < maxBytes) {
    const next = await pieces.next();
    if (next.done === true) break;
    ready.push(next.value);
    bytes += next.value.byteLength;
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* ready.splice(0);
      yield* pieces;
    } finally {
      await pieces.return(undefined);
    }
  }
  return all();
}
