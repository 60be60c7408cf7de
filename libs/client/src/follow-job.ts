import { abortableDelay, type ApiConnection } from './api-connection.js';
import { backoffMs } from './retry-policy.js';
import type { CrawledPage, JobSnapshot } from './schemas.js';
import { readEvents, type StreamEvent } from './server-events.js';
import { TrawlError } from './trawl-error.js';

/** What happens to a job. */
export type JobUpdate =
  | {
      readonly type: 'page';
      /** Number of the page result, from 1: continue after it with `after`. */
      readonly position: number;
      readonly page: CrawledPage;
    }
  | { readonly type: 'status'; readonly job: JobSnapshot };

export interface FollowOptions {
  /** Page results to skip: the `position` of the last one that was received. @default 0 */
  readonly after?: number;
  /** Ends the iteration, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called when the connection was lost and before it is opened again. */
  readonly onInterruption?: (error: TrawlError) => void;
}

const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];
/** Errors of the service after which the results can still be read by cursor. */
const STREAMS_FULL: readonly string[] = ['too_many_streams', 'streams_unavailable'];
const RECONNECT_MS = 2_000;
const SLICE_PAGES = 20;

/** Follows one job over as many connections as it takes; every page result comes once and in order. */
export class JobFollower {
  private position: number;
  private reconnectMs = RECONNECT_MS;
  /** Connections in a row that brought nothing. */
  private failures = 0;
  private readonly path: string;

  constructor(
    private readonly connection: ApiConnection,
    id: string,
    private readonly options: FollowOptions,
  ) {
    this.position = options.after ?? 0;
    this.path = `/v1/crawl/${encodeURIComponent(id)}`;
  }

  async *updates(): AsyncGenerator<JobUpdate, void> {
    for (;;) {
      const lost = yield* this.read();
      if (lost === undefined) return;
      await this.recover(lost);
      if (isFull(lost) && (yield* this.readSlice())) return;
    }
  }

  /** Reads one stream; returns why it ended before the job did, or undefined after the job's end. */
  private async *read(): AsyncGenerator<JobUpdate, TrawlError | undefined> {
    const { signal } = this.options;
    const stream = await this.open();
    if (stream instanceof TrawlError) return stream;
    const events = readEvents(stream, { signal });
    try {
      for (;;) {
        const next = await nextEvent(events, signal);
        if (next instanceof TrawlError) return next;
        if (next.event === 'end') return endOf(next);
        const update = this.take(next);
        if (update) yield update;
      }
    } finally {
      await events.return(undefined);
    }
  }

  private async open(): Promise<ReadableStream<Uint8Array> | TrawlError> {
    const { signal } = this.options;
    try {
      const response = await this.connection.open({
        ...{ method: 'GET', path: `${this.path}/events`, accept: 'text/event-stream' },
        ...{ query: { cursor: this.position }, retries: 0, signal },
      });
      return response.body ?? lost('the stream has no body');
    } catch (error) {
      if (error instanceof TrawlError && error.retryable) return error;
      throw error;
    }
  }

  /** The update of an event; undefined for others and for page results that were already received. */
  private take({ event, id, data, retryMs }: StreamEvent): JobUpdate | undefined {
    if (retryMs !== undefined) this.reconnectMs = retryMs;
    if (event === 'document') {
      const position = Number(id);
      if (!(position > this.position)) return undefined;
      this.advance(position);
      return { type: 'page', position, page: parseData<CrawledPage>(data) };
    }
    if (event === 'status') {
      this.failures = 0;
      return { type: 'status', job: parseData<JobSnapshot>(data) };
    }
    return undefined;
  }

  private advance(position: number): void {
    this.position = position;
    this.failures = 0;
  }

  /** Waits before the next connection. @throws the error, after too many connections that brought nothing */
  private async recover(error: TrawlError): Promise<void> {
    const { signal, onInterruption } = this.options;
    signal?.throwIfAborted();
    if (!isFull(error)) this.failures++;
    if (this.failures > this.connection.retries) throw error;
    onInterruption?.(error);
    const usualMs = Math.min(this.reconnectMs, this.connection.retryDelayMs * 4);
    const delayMs = error.retryAfterMs ?? backoffMs(usualMs, Math.max(1, this.failures));
    await abortableDelay(delayMs, signal);
  }

  /** All places for streams are taken: page results are read by cursor meanwhile. Returns whether the job is over. */
  private async *readSlice(): AsyncGenerator<JobUpdate, boolean> {
    const { signal } = this.options;
    const { results } = await this.connection.json<{ readonly results: readonly CrawledPage[] }>({
      ...{ method: 'GET', path: `${this.path}/results`, signal },
      query: { cursor: this.position, limit: SLICE_PAGES },
    });
    for (const page of results) {
      this.advance(this.position + 1);
      yield { type: 'page', position: this.position, page };
    }
    const job = await this.connection.json<JobSnapshot>({ method: 'GET', path: this.path, signal });
    const isOver = ENDED.includes(job.status);
    // The last state comes after the last page result.
    const isComplete = isOver && this.position >= job.pages_scraped;
    if (isComplete || !isOver) yield { type: 'status', job };
    return isComplete;
  }
}

/** @throws TrawlError if the job does not exist any more */
function endOf({ data }: StreamEvent): undefined {
  if (parseData<{ status: string }>(data).status === 'deleted')
    throw new TrawlError('The job was deleted while it was followed', { code: 'job_deleted' });
}

/** The next event, or why there is none. */
async function nextEvent(
  events: AsyncGenerator<StreamEvent>,
  signal: AbortSignal | undefined,
): Promise<StreamEvent | TrawlError> {
  try {
    const { done, value } = await events.next();
    return done ? lost('the stream ended early') : value;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TrawlError && error.code === 'invalid_response') throw error;
    return lost(error instanceof Error ? error.message : String(error), error);
  }
}

function lost(reason: string, cause?: unknown): TrawlError {
  return new TrawlError(`The connection was lost: ${reason}`, {
    ...{ code: 'network', retryable: true, cause },
    hint: 'The job goes on: follow it again after the last position.',
  });
}

function isFull({ code }: TrawlError): boolean {
  return STREAMS_FULL.includes(code);
}

function parseData<T>(data: string): T {
  try {
    return JSON.parse(data) as T;
  } catch (cause) {
    throw new TrawlError('An event of the stream is not JSON', {
      code: 'invalid_response',
      cause,
      hint: 'Check that baseUrl is the address of Trawl, and any proxy on the way.',
    });
  }
}
