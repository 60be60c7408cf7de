import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';

/** A reader that takes nothing for so long is cut off: it holds a connection, and one to storage. */
const STALLED_MS = 120_000;
/** Answers are made on the fly: a quarter of the default level's time for a few per cent of size. */
const GZIP_LEVEL = constants.Z_BEST_SPEED;

/**
 * Sends a stream as fast as the client takes it. When the client goes, or takes nothing for `stalledMs`,
 * the stream is destroyed. HEAD gets the headers alone.
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

/** The same, compressed on the way. */
export async function sendGzipped(
  reply: FastifyReply,
  stream: Readable,
  stalledMs?: number,
): Promise<void> {
  reply.header('content-encoding', 'gzip');
  // A failure of either end destroys the other; Fastify sees it on the stream it sends.
  const gzipped = pipeline(stream, createGzip({ level: GZIP_LEVEL }), () => undefined);
  await sendStream(reply, gzipped, stalledMs);
}
