import type { StoredResult } from '@app/jobs';
import type { LiveState, Watch } from './live-jobs.js';

/** A proxy on the way closes a connection that is silent for too long. */
export const KEEP_ALIVE_MS = 15_000;
/** Reconnect delay of a reader that lost its connection. */
const RETRY_MS = 2_000;
/** Sent with the last bytes of a stopping process: another one is already running. */
const STOPPING_RETRY_MS = 1_000;

/** `Last-Event-ID` of a reader that has received everything: its reconnect gets 204. */
export const END_ID = 'end';

export interface JobEventsOptions {
  readonly watch: Watch;
  /** Page results the reader has. */
  readonly after: number;
  readonly documents: (after: number, most: number) => AsyncGenerator<StoredResult>;
  /** Content of `status`. @default the job as GET /v1/jobs/:id shows it */
  readonly present?: (state: LiveState) => object;
  /** Aborted when the reader disconnects. */
  readonly signal: AbortSignal;
  /** @default KEEP_ALIVE_MS */
  readonly keepAliveMs?: number;
}

/**
 * The life of a job as Server-Sent Events (WHATWG HTML, 9.2): `document` for each page as it is stored,
 * `status` when the job has changed, `end` after the last event. Events are sent at the reader's pace:
 * of the changes made while it was busy, only the last is sent.
 */
export async function* jobEvents(options: JobEventsOptions): AsyncGenerator<Buffer> {
  const { watch, documents, signal, present = ({ view }: LiveState) => view } = options;
  let { after } = options;
  let sentState: Watch['state'] = null;
  yield Buffer.from(`retry: ${RETRY_MS}\n\n`);
  while (!signal.aborted) {
    const { state } = watch;
    if (state && state.scraped > after) {
      for await (const { resultNo, document } of documents(after, state.scraped - after)) {
        if (watch.isStopping) break;
        yield documentEvent(resultNo, document);
        after = resultNo;
      }
    }
    if (watch.isStopping) return yield Buffer.from(`retry: ${STOPPING_RETRY_MS}\n: stopping\n\n`);
    if (state && state !== sentState) yield event('status', JSON.stringify(present(state)));
    sentState = state;
    if (!state || state.isEnded) return yield endEvent(state?.view.status ?? 'deleted');
    // Only if nothing happened since: a change made during a write must not wait for the next one.
    if (watch.state !== state || watch.isStopping) continue;
    if (!(await isWoken(options))) yield Buffer.from(': keep-alive\n\n');
  }
}

/** False if nothing happened for as long as a connection may be silent. */
export async function isWoken({
  watch,
  signal,
  keepAliveMs,
}: Pick<JobEventsOptions, 'watch' | 'signal' | 'keepAliveMs'>): Promise<boolean> {
  const silence = AbortSignal.timeout(keepAliveMs ?? KEEP_ALIVE_MS);
  await watch.changed(AbortSignal.any([signal, silence]));
  return !silence.aborted;
}

/** JSON contains no line break, so a page result is one line of data. */
function documentEvent(resultNo: number, document: Buffer): Buffer {
  const head = Buffer.from(`event: document\nid: ${resultNo}\ndata: `);
  return Buffer.concat([head, document, Buffer.from('\n\n')]);
}

function event(name: string, data: string): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${data}\n\n`);
}

function endEvent(status: string): Buffer {
  return Buffer.from(`event: end\nid: ${END_ID}\ndata: ${JSON.stringify({ status })}\n\n`);
}
