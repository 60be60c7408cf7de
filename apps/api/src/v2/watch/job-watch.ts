import type { WebSocket } from '@fastify/websocket';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { tenantOf } from '../../accounts/auth/require-key.js';
import { routeLabel, endUpgradeSpan, SWITCHING_PROTOCOLS } from '../../http/trace-requests.js';
import { keptErrorOf } from '../../http/upgrades.js';
import { LiveJobs, type LiveState } from '../../jobs/results/live-jobs.js';
import { InjectRuntime } from '../../runtime.token.js';
import { V2JobsService, type NumberedDocument } from '../jobs/v2-jobs.service.js';
import { CLOSE } from './close-codes.js';
import { closeFrame, refusalFrames, watchFrames, type WatchFrame } from './watch-frames.js';
import { KEEP_ALIVE_MS } from '../../jobs/results/job-events.js';

/** A reader that shows no life for so long, by reading or by a pong, is cut off. */
const STALLED_MS = 120_000;
/** A client may send pings, too; more than this between two of the server's are an attack. */
const MAX_CONTROL_FRAMES = 100;

interface SendOptions {
  readonly socket: WebSocket;
  /** The connection of the socket. */
  readonly connection: { setTimeout(ms: number, then: () => void): unknown };
  /** @default STALLED_MS */
  readonly stalledMs?: number;
}

/**
 * Sends frames at the pace of the reader: the next one is read when the one before has left, so a reader that does not
 * read costs one frame. It is cut off when it takes nothing for `stalledMs`.
 */
export async function sendFrames(
  frames: AsyncIterable<WatchFrame> | Iterable<WatchFrame>,
  { socket, connection, stalledMs = STALLED_MS }: SendOptions,
): Promise<void> {
  let heardAt = performance.now();
  const hear = (): void => void (heardAt = performance.now());
  socket.on('pong', hear);
  // Bytes that leave count as life, those of a part of a frame too.
  connection.setTimeout(stalledMs, () => socket.terminate());
  for await (const frame of frames) {
    if (socket.readyState !== socket.OPEN) return;
    if (frame.kind === 'close') return socket.close(frame.code, frame.reason);
    if (frame.kind === 'ping') {
      if (performance.now() - heardAt > stalledMs) return socket.terminate();
      await sent((done) => socket.ping(undefined, undefined, done));
      continue;
    }
    await sent((done) => socket.send(frame.text, { binary: false }, done));
    hear();
  }
}

/**
 * A watcher has nothing to say: a message closes its stream. Pongs are not queued for a client that does not read them,
 * and a flood of control frames ends the connection. Attach it before anything is awaited.
 */
export function refuseMessages(socket: WebSocket): void {
  const isTooMany = floodMeter();
  const count = (): void => {
    if (isTooMany()) socket.terminate();
  };
  socket.on('message', () => socket.close(CLOSE.unsupported, 'this stream takes no messages'));
  socket.on('pong', count);
  socket.on('ping', (data: Buffer) => {
    count();
    if (socket.readyState === socket.OPEN && socket.bufferedAmount === 0) socket.pong(data);
  });
}

/** Counts control frames; true when one is too many for the time between two pings. */
function floodMeter(): () => boolean {
  let frames = 0;
  let sinceMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs > KEEP_ALIVE_MS) [frames, sinceMs] = [0, nowMs];
    frames++;
    return frames > MAX_CONTROL_FRAMES;
  };
}

function sent(send: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    send((error) => (error ? reject(error) : resolve()));
  });
}

/** Many readers may be behind at once: each uses this much memory, or one page result. */
const MAX_READ_BYTES = 1024 * 1024;

/** The WebSockets of the watchers of jobs: GET /v2/crawl/:id and GET /v2/batch/scrape/:id. */
@Injectable()
export class JobWatch {
  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'log' | 'metrics'>,
    private readonly jobs: V2JobsService,
    private readonly live: LiveJobs,
  ) {}

  /** Serves an open WebSocket to its end. */
  async serve(socket: WebSocket, request: FastifyRequest): Promise<void> {
    refuseMessages(socket);
    const gone = new AbortController();
    socket.once('close', () => {
      gone.abort();
      endUpgradeSpan(request);
    });
    const route = routeLabel(request);
    this.runtime.metrics.httpRequests.inc({
      ...{ method: 'GET', route, status_code: String(SWITCHING_PROTOCOLS) },
    });
    const { socket: connection } = request.raw;
    try {
      await this.follow(request, gone.signal, (frames) =>
        sendFrames(frames, { socket, connection }),
      );
    } catch (error) {
      // A reader that left, or was cut off, gets no more.
      if (socket.readyState === socket.OPEN)
        await sendFrames(this.framesOf(error, request), { socket, connection });
    }
  }

  private async follow(
    request: FastifyRequest,
    signal: AbortSignal,
    send: (frames: AsyncIterable<WatchFrame>) => Promise<void>,
  ): Promise<void> {
    const refusal = keptErrorOf(request);
    if (refusal) throw refusal;
    const tenant = tenantOf(request);
    if (!tenant) throw new ApiError('api_key_required');
    const { id } = request.params as { readonly id: string };
    const type = routeLabel(request).startsWith('/v2/crawl/') ? 'crawl' : 'batch';
    const watch = await this.live.watch(await this.jobs.find(tenant, id, type));
    try {
      const documents = (after: number, { job }: LiveState): AsyncIterable<NumberedDocument> =>
        this.jobs.documents(tenant, job, { after, maxReadBytes: MAX_READ_BYTES });
      const present = ({ job }: LiveState): object => this.jobs.state(job);
      await send(watchFrames({ watch, documents, present, signal }));
    } finally {
      watch.close();
    }
  }

  /** How a WebSocket ends with an error. A state that may change by itself is left to the client's polling. */
  private framesOf(error: unknown, request: FastifyRequest): Iterable<WatchFrame> {
    const status = error instanceof ApiError ? error.row.status : null;
    if (!(error instanceof ApiError) || status === null || status >= 500) {
      this.runtime.log.warn({ err: error, requestId: request.id }, 'a watcher got no answer');
      const isPassing = error instanceof ApiError && status === 503;
      return [closeFrame(isPassing ? CLOSE.tryLater : CLOSE.fault, 'the service has a fault')];
    }
    if (status === 429) return [closeFrame(CLOSE.tryLater, error.message)];
    return refusalFrames(error.message, status === 401 ? CLOSE.unauthorized : CLOSE.notFound);
  }
}
