import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { gathered } from '@app/jobs';
import type { Tenant } from '@app/accounts';
import { acceptsGzip } from '../../http/accept-encoding.js';
import { LongAnswers } from '../../http/long-answers.js';
import { sendGzipped, sendStream } from '../../http/send-stream.js';
import { V2JobsService, type V2JobType } from './v2-jobs.service.js';

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

/** Documents read before the status of the response is decided; the jobs of most callers are smaller. */
const PRELOADED_BYTES = 1_048_576;

/** Sends the state of a job with all of its documents, at the pace of the reader. */
@Injectable()
export class V2JobResponses {
  constructor(
    private readonly jobs: V2JobsService,
    private readonly answers: LongAnswers,
  ) {}

  /** @throws ApiError */
  async send(reply: FastifyReply, tenant: Tenant, id: string, type: V2JobType): Promise<void> {
    const job = await this.jobs.find(tenant, id, type);
    if (job.scraped > 0) this.answers.hold(reply, tenant.id);
    const body = gathered(this.jobs.body(tenant, job));
    const stream = Readable.from(await preloaded(body, PRELOADED_BYTES), { objectMode: false });
    reply
      .status(200)
      .header('content-type', 'application/json; charset=utf-8')
      .header('vary', 'accept-encoding');
    const isGzipped = acceptsGzip(reply.request.headers['accept-encoding']?.toString());
    await (isGzipped ? sendGzipped(reply, stream) : sendStream(reply, stream));
  }
}
