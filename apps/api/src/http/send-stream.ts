import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';

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

/** The same, compressed on the fly. */
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
