import { HttpFetchError, type HttpClient, type HttpRequest, type HttpResponse } from '@app/egress';
import { permanent, transient, type AttemptFailure } from './attempt-failure.js';
import { failedCall } from './llm-result.js';

/** A client whose guard admits only the model server. */
export type LlmHttp = Pick<HttpClient, 'fetch'>;

/** Called for each piece of the body when it arrives, so that silence is noticed. */
export interface WatchedRequest extends HttpRequest {
  readonly onData?: (chunk: Uint8Array) => void;
}

type Posted =
  /** May be incomplete if the connection, the time or the patience ended. */
  { readonly ok: true; readonly response: HttpResponse } | AttemptFailure;

/**
 * Sends a request and reads its response, which is aborted after a silence of `idleTimeoutMs`, counted from its
 * first data: before that a server may be busy for long. Errors become values without their text: it may quote
 * the address.
 */
export async function post(
  http: LlmHttp,
  request: HttpRequest & { readonly signal: AbortSignal },
  idleTimeoutMs: number,
): Promise<Posted> {
  const watch = new SilenceWatch(request.signal, idleTimeoutMs);
  const watched: WatchedRequest = { ...request, signal: watch.signal, onData: watch.onData };
  try {
    return { ok: true, response: await http.fetch(watched) };
  } catch (error) {
    return readError(error);
  } finally {
    watch.dispose();
  }
}

function readError(error: unknown): Posted {
  if (!(error instanceof HttpFetchError)) {
    return permanent(
      failedCall('llm_failed', 'the model server cannot be used with its configured address'),
    );
  }
  if (error.partial !== null) return { ok: true, response: error.partial };
  return error.errorClass === 'timeout'
    ? transient('the model server did not respond in time')
    : transient(`the model server cannot be reached (${error.code})`);
}

/** A line with data: comments and empty lines only keep the connection open. */
const DATA_LINE = /^(?!\s*(?::|$))./m;

class SilenceWatch {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly outer: AbortSignal,
    private readonly idleTimeoutMs: number,
  ) {
    outer.addEventListener('abort', this.end, { once: true });
    if (outer.aborted) this.end();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  readonly onData = (chunk: Uint8Array): void => {
    if (
      !DATA_LINE.test(
        Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1'),
      )
    )
      return;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.end, this.idleTimeoutMs);
  };

  dispose(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.end);
  }

  private readonly end = (): void => this.controller.abort(new Error('given up'));
}
