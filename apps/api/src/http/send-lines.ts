import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { acceptsGzip } from './accept-encoding.js';
import { firstItemReady } from './first-item-ready.js';
import { sendGzipped, sendStream } from './send-stream.js';

export const NDJSON = 'application/x-ndjson';

export function wantsLines(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes(NDJSON) ?? false;
}

/** Sends JSON lines as fast as the reader reads. */
export async function sendLines(
  reply: FastifyReply,
  lines: AsyncGenerator<Buffer>,
  acceptEncoding: string | undefined,
): Promise<void> {
  const stream = Readable.from(await firstItemReady(lines), { objectMode: false });
  reply.header('content-type', NDJSON).header('vary', 'accept, accept-encoding');
  await (acceptsGzip(acceptEncoding) ? sendGzipped(reply, stream) : sendStream(reply, stream));
}
