/** A body read up to a cap. */
export interface CappedBody {
  /** Alone in its ArrayBuffer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isCut: boolean;
}

/** Reading broke off. */
export class BodyError extends Error {
  constructor(
    readonly readBytes: number,
    options: ErrorOptions,
  ) {
    super('the body broke off', options);
    this.name = 'BodyError';
  }
}

/**
 * Reads chunk by chunk and cancels at the cap, so that a bomb costs no more memory than the cap.
 * @throws BodyError when the stream fails or the signal ends it
 */
export async function readCapped(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<CappedBody> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  // A body of which nothing arrives would not notice the signal by itself.
  const onAbort = () => void reader.cancel().catch(ignoreLate);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.byteLength;
      if (length > maxBytes) {
        await reader.cancel();
        break;
      }
    }
    signal.throwIfAborted();
  } catch (cause) {
    throw new BodyError(length, { cause });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  return { bytes: joined(chunks, Math.min(length, maxBytes)), isCut: length > maxBytes };
}

/** Drops an unneeded body. */
export async function discard(stream: ReadableStream<Uint8Array>): Promise<void> {
  await stream.cancel().catch(ignoreLate);
}

/** The stream has failed already: there is nothing left to cancel. */
function ignoreLate(): void {}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, length - at);
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
