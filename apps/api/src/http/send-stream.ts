import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { contentDisposition } from '@app/blobs';
import { firstItemReady } from './first-item-ready.js';

/** A reader that reads nothing for this long is cut off: it occupies a connection to us and one to storage. */
const STALLED_MS = 120_000;
/** Responses are compressed on the fly: a quarter of the default level's time for a few per cent of size. */
const GZIP_LEVEL = constants.Z_BEST_SPEED;

/**
 * Sends a stream at the client's pace. When the client disconnects, or reads nothing for `stalledMs`,
 * the stream is destroyed. HEAD gets the headers only.
 */
export async function sendStream(
  reply: FastifyReply,
  stream: Readable,
  stalledMs = STALLED_MS,
): Promise<void> {
  if (reply.request.method === 'HEAD') {
    stream.destroy();
    return void (await reply.send());
  }
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
  await reply.send(stream);
}

/**
 * Sends what is made as a file, once its first part is there: an error before is an error response.
 * @param contentType as the header has it
 */
export async function sendFile(
  reply: FastifyReply,
  bytes: AsyncGenerator<Buffer>,
  { contentType, fileName }: { readonly contentType: string; readonly fileName: string },
): Promise<void> {
  const stream = Readable.from(await firstItemReady(bytes), { objectMode: false });
  reply
    .header('content-type', contentType)
    .header('content-disposition', contentDisposition(fileName));
  await sendStream(reply, stream);
}

/** {@link sendStream}, compressed on the fly. */
export async function sendGzipped(
  reply: FastifyReply,
  stream: Readable,
  stalledMs?: number,
): Promise<void> {
  reply.header('content-encoding', 'gzip');
  // A failure of either end destroys the other; Fastify observes it on the stream it sends.
  const gzipped = pipeline(stream, createGzip({ level: GZIP_LEVEL }), () => undefined);
  await sendStream(reply, gzipped, stalledMs);
}
