import { isWoken } from '../../jobs/results/job-events.js';
import type { LiveState, Watch } from '../../jobs/results/live-jobs.js';
import type { NumberedDocument } from '../jobs/v2-jobs.service.js';
import { CLOSE } from './close-codes.js';

/** One step of a WebSocket: a text message, a sign of life, or the end. */
export type WatchFrame =
  | { readonly kind: 'text'; readonly text: Buffer }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string };

export interface WatchFramesOptions {
  readonly watch: Watch;
  /** Documents as GET shows them, after a position, up to those of the state. */
  readonly documents: (after: number, state: LiveState) => AsyncIterable<NumberedDocument>;
  /** The state as GET shows it, without its documents. */
  readonly present: (state: LiveState) => object;
  /** Aborted when the reader disconnects. */
  readonly signal: AbortSignal;
  /** @default KEEP_ALIVE_MS */
  readonly keepAliveMs?: number;
}

/**
 * The life of a job as the messages of a watcher: `catchup` when the job has changed, `document` for each page as it is
 * stored, and `done` when it has completed. A `catchup` contains no documents, so the memory of a stream is one page,
 * however large the job. A job that failed or was cancelled ends with a `catchup` of that state: `done` would mean
 * "completed". Watchers stop reading at a `catchup` of a final state, so all documents come before it. Of the changes
 * made while the reader was busy, only the last is sent.
 */
export async function* watchFrames(options: WatchFramesOptions): AsyncGenerator<WatchFrame> {
  const { watch, documents, present, signal } = options;
  let sent = 0;
  let shown: Watch['state'] = null;
  while (!signal.aborted) {
    const { state } = watch;
    if (!state) return yield* deletedFrames();
    if (!state.isEnded && state !== shown) yield message('catchup', present(state));
    shown = state;
    for await (const { resultNo, document } of documents(sent, state)) {
      if (watch.isStopping) break;
      yield documentFrame(document);
      sent = resultNo;
    }
    if (watch.isStopping) return yield closeFrame(CLOSE.goingAway, 'this server is shutting down');
    if (state.isEnded) return yield* lastFrames(state, present);
    // Only if nothing happened since: a change made during a write must not wait for the next one.
    if (watch.state !== state) continue;
    if (!(await isWoken(options))) yield { kind: 'ping' };
  }
}

function* lastFrames(
  state: LiveState,
  present: WatchFramesOptions['present'],
): Generator<WatchFrame> {
  const isCompleted = state.view.status === 'completed';
  yield message(isCompleted ? 'done' : 'catchup', present(state));
  yield closeFrame(CLOSE.normal, `the job is ${state.view.status}`);
}

function* deletedFrames(): Generator<WatchFrame> {
  yield* refusalFrames('The job was deleted.', CLOSE.notFound);
}

/**
 * The messages of a watch that cannot succeed. A watcher that gets only an error, or only an end, polls for ever; the
 * final state ends it.
 */
export function* refusalFrames(error: string, code: number): Generator<WatchFrame> {
  yield { kind: 'text', text: Buffer.from(JSON.stringify({ type: 'error', error })) };
  const state = { success: false, status: 'failed', error, total: 0, completed: 0 };
  yield message('catchup', { ...state, creditsUsed: 0, next: null, data: [] });
  yield closeFrame(code, error);
}

function message(type: string, data: object): WatchFrame {
  return { kind: 'text', text: Buffer.from(JSON.stringify({ type, data })) };
}

const DOCUMENT_HEAD = Buffer.from('{"type":"document","data":');
const DOCUMENT_TAIL = Buffer.from('}');

/** JSON text made from JSON text: a page-sized one is not parsed. */
function documentFrame(document: Buffer): WatchFrame {
  return { kind: 'text', text: Buffer.concat([DOCUMENT_HEAD, document, DOCUMENT_TAIL]) };
}

/** The protocol allows 123 bytes for a reason (RFC 6455, 5.5). */
const MAX_REASON_CHARS = 100;

export function closeFrame(code: number, reason: string): WatchFrame {
  const ascii = reason.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON_CHARS);
  return { kind: 'close', code, reason: ascii };
}
