import { Injectable } from '@nestjs/common';
import { BlobNotFoundError, BlobUnavailableError } from '@app/blobs';
import {
  BrokerUnavailableError,
  MAX_TASK_BYTES,
  QueueFullError,
  RequestTimeoutError,
  TaskTooLargeError,
} from '@app/broker';
import {
  ApiError,
  type ConvertReply,
  type ConvertTask,
  type MapReply,
  type MapTask,
  type ReplyEnvelope,
  type ScrapeReply,
  type ScrapeTask,
  type ScreenshotReply,
  type ScreenshotTask,
} from '@app/contracts';
import type {
  BusinessSearchReply,
  BusinessSearchTask,
  ConnectorChoiceReply,
  ConnectorChoiceTask,
} from '@app/connectors';
import { type SearchReply, type SearchTask } from '@app/search';
import type { PassagesReply, PassagesTask } from '@app/jobs';
import type { BrandReply, BrandTask, EnrichReply, EnrichTask } from '@app/company';
import { OUTSTANDING_CALLS, type Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';
import { RequestGate } from './request-gate.js';

/** A fetcher replies by the deadline with the results so far; after this much longer no fetcher has the task. */
const REPLY_GRACE_MS = 500;
const RETRY_AFTER_SECONDS = 5;
const MAX_STORED_REPLY_BYTES = 128 * 1024 * 1024;

interface Calls {
  readonly scrape: { readonly task: ScrapeTask; readonly reply: ScrapeReply };
  readonly screenshot: { readonly task: ScreenshotTask; readonly reply: ScreenshotReply };
  readonly convert: {
    readonly task: ConvertTask | PassagesTask;
    readonly reply: ConvertReply | PassagesReply;
  };
  readonly map: { readonly task: MapTask; readonly reply: MapReply };
  readonly brand: { readonly task: BrandTask; readonly reply: BrandReply };
  readonly search: {
    readonly task: SearchTask | BusinessSearchTask | ConnectorChoiceTask;
    readonly reply: SearchReply | BusinessSearchReply | ConnectorChoiceReply;
  };
  readonly enrich: { readonly task: EnrichTask; readonly reply: EnrichReply };
}

/** Sends a task to a fetcher and waits for its reply. */
@Injectable()
export class FetcherCall {
  private readonly stopping = new AbortController();
  private readonly gates = new Map<keyof Calls, RequestGate>();

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'settings' | 'log' | 'metrics' | 'queue' | 'blobs'>,
  ) {
    const { metrics } = runtime;
    metrics.onCollect(async () => {
      for (const [queue, { waiting }] of this.gates) metrics.callsWaiting.set({ queue }, waiting);
    });
  }

  /** Rejects all current and later waiters: no reply can arrive before this process exits. */
  giveUp(): void {
    this.stopping.abort(new Error('the process is stopping'));
  }

  /**
   * @param onLate for work that costs money: it continues after a disconnect, and its reply is passed to this function
   * @throws ApiError
   */
  async request<Q extends keyof Calls>(
    queue: Q,
    task: Calls[Q]['task'],
    signal: AbortSignal,
    onLate?: (reply: Calls[Q]['reply']) => Promise<void>,
  ): Promise<Calls[Q]['reply']> {
    try {
      const reply = await this.outliving(this.send(queue, task, signal), signal, onLate);
      return await this.opened<Calls[Q]['reply']>(reply as ReplyEnvelope<Calls[Q]['reply']>);
    } catch (cause) {
      if (signal.aborted) throw new ApiError('client_gone', {}, { cause });
      if (this.stopping.signal.aborted) throw new ApiError('draining', {}, { cause });
      if (cause instanceof TaskTooLargeError)
        throw new ApiError('body_too_large', { limit: MAX_TASK_BYTES }, { cause });
      if (!isUnavailable(cause)) throw cause;
      throw fetchersUnavailable(cause);
    }
  }

  /** The caller's signal ends the wait for a turn only. Afterwards the request ends only with this process. */
  private send<Q extends keyof Calls>(
    queue: Q,
    task: Calls[Q]['task'],
    signal: AbortSignal,
  ): Promise<unknown> {
    const { tenantId, plan, deadlineAtMs } = task;
    const owner = { tenantId, isFree: plan === 'free' };
    const stopping = this.stopping.signal;
    const eitherEnd = AbortSignal.any([signal, stopping]);
    return this.gateOf(queue).run({ owner, deadlineAtMs, signal: eitherEnd }, () => {
      const timeoutMs = deadlineAtMs - Date.now() + REPLY_GRACE_MS;
      return this.runtime.queue.request(queue, task, { timeoutMs, signal: stopping, owner });
    });
  }

  private gateOf(queue: keyof Calls): RequestGate {
    const known = this.gates.get(queue);
    if (known) return known;
    const gate = new RequestGate({ outstanding: OUTSTANDING_CALLS });
    this.gates.set(queue, gate);
    return gate;
  }

  private outliving<R>(
    reply: Promise<unknown>,
    signal: AbortSignal,
    onLate: ((reply: R) => Promise<void>) | undefined,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const hangUp = (): void => {
        reject(signal.reason as Error);
        if (onLate) this.recordLate(reply, signal, onLate);
      };
      signal.addEventListener('abort', hangUp, { once: true });
      if (signal.aborted) hangUp();
      reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', hangUp));
    });
  }

  private recordLate<R>(
    reply: Promise<unknown>,
    { reason }: AbortSignal,
    onLate: (reply: R) => Promise<void>,
  ): void {
    reply
      .then((late) => this.opened<R>(late as ReplyEnvelope<R>))
      .then(onLate)
      .catch((err: unknown) => {
        // Its turn never came: no work was started.
        if (err !== reason)
          this.runtime.log.warn({ err }, 'the cost of a late reply was not recorded');
      });
  }

  private async opened<R>(envelope: ReplyEnvelope<R>): Promise<R> {
    if (!isEnvelope(envelope)) return envelope;
    if (envelope.kind === 'undeliverable') throw new BlobUnavailableError('a reply was not stored');
    const { blobs, log } = this.runtime;
    const { key } = envelope;
    const text = await blobs.read(key, undefined, MAX_STORED_REPLY_BYTES);
    blobs
      .delete(key)
      .catch((err: unknown) => log.warn({ err, key }, 'a reply was read but not deleted'));
    return JSON.parse(text.toString('utf8')) as R;
  }
}

/** No fetcher is available for now. */
export function fetchersUnavailable(cause: unknown): ApiError {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  return new ApiError('scrape_unavailable', { retryAfterSeconds }, { cause });
}

type Envelope = Extract<ReplyEnvelope<never>, { kind: string }>;

function isEnvelope<R>(reply: ReplyEnvelope<R>): reply is Envelope {
  const { kind } = reply as { readonly kind: string };
  return kind === 'blob' || kind === 'undeliverable';
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof QueueFullError ||
    error instanceof BrokerUnavailableError ||
    error instanceof RequestTimeoutError ||
    error instanceof BlobUnavailableError ||
    error instanceof BlobNotFoundError
  );
}
