import { Readable } from 'node:stream';
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Runtime } from '@app/runtime';
import { type JobEntity, readResults } from '@app/jobs';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { clientGone } from '../../http/client-gone.js';
import { RequiresApiKey } from '../../http/documented.js';
import { queryNumber } from '../../http/query-values.js';
import { sendStream } from '../../http/send-stream.js';
import { JobsService } from '../jobs.service.js';
import { InjectRuntime } from '../../runtime.token.js';
import { END_ID, jobEvents } from './job-events.js';
import { LiveJobs } from './live-jobs.js';

const EVENT_STREAM = 'text/event-stream';
/** Many readers may be behind at once: each uses this much memory, or one page result. */
const MAX_READ_BYTES = 1024 * 1024;
const MAX_INTEGER = 2 ** 31 - 1;

const EVENT_SCHEMA = {
  type: 'object' as const,
  required: ['event', 'data'],
  properties: {
    event: { type: 'string' as const, enum: ['document', 'status', 'end'] },
    id: {
      type: 'string' as const,
      description: 'The `Last-Event-ID` to reconnect with.',
    },
    data: { type: 'string' as const, description: 'JSON' },
  },
};

@Controller('v1/crawl/:id/events')
export class EventsController {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'blobs'>,
    private readonly jobs: JobsService,
    private readonly live: LiveJobs,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Follow a job: its page results as they are stored, its state when it changes',
    description:
      'Server-Sent Events: `document` (id: its number, data: the document), `status` (the job as GET /v1/jobs/{id} shows it), and `end` after the last event. To continue after a disconnect, reconnect with `Last-Event-ID`.',
    operationId: 'followCrawl',
  })
  @ApiHeader({
    name: 'last-event-id',
    required: false,
    description: 'The last id received.',
    schema: { type: 'string', pattern: '^([0-9]{1,9}|end)$' },
  })
  @ApiQuery({
    name: 'cursor',
    required: false,
    description: 'Page results to skip, if there is no `Last-Event-ID`.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_INTEGER },
  })
  @ApiProduces(EVENT_STREAM)
  @ApiOkResponse({
    description: 'The stream of events; the schema is that of one event.',
    schema: EVENT_SCHEMA,
  })
  @ApiNoContentResponse({
    description: 'The reader has received `end`: there is nothing to follow.',
  })
  @RequiresApiKey(
    'polls',
    'job_not_found',
    'results_expired',
    'invalid_request',
    'too_many_streams',
    'streams_unavailable',
  )
  async follow(
    @Param('id') id: string,
    @Headers('last-event-id') lastId: string | undefined,
    @Query('cursor') cursor: unknown,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const job = await this.jobs.findKept(tenant, id);
    const bounds = { fallback: 0, min: 0, max: MAX_INTEGER };
    const fromCursor = queryNumber('cursor', cursor, bounds);
    if (lastId === END_ID) return void (await reply.status(204).send());
    const after = queryNumber('Last-Event-ID', lastId, { ...bounds, fallback: fromCursor });
    await this.stream(reply, { tenant, job }, after);
  }

  private async stream(
    reply: FastifyReply,
    { tenant, job }: { readonly tenant: Tenant; readonly job: JobEntity },
    after: number,
  ): Promise<void> {
    const signal = clientGone(reply);
    const watch = await this.live.watch(job);
    if (signal.aborted) return watch.close();
    signal.addEventListener('abort', () => watch.close(), { once: true });
    const { database, blobs } = this.runtime;
    const ports = { database: database.asReader(tenant.id), blobs };
    const documents = (from: number, most: number): ReturnType<typeof readResults> =>
      readResults(ports, job.id, { after: from, most, maxReadBytes: MAX_READ_BYTES });
    const events = jobEvents({ watch, after, documents, signal });
    reply
      .header('content-type', EVENT_STREAM)
      // nginx would hold events back until its buffer is full.
      .header('x-accel-buffering', 'no');
    await sendStream(reply, Readable.from(events, { objectMode: false }));
  }
}
