const GATHER_BYTES = 64 * 1024;

/** The same bytes in fewer chunks: documents and the commas between them are not a write each. */
export async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < GATHER_BYTES) continue;
    yield Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
