/** A request that the API received. */
export interface ScriptedCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  /** Aborted when the client closes the connection. */
  readonly signal: AbortSignal;
}

export type ScriptedRoute = (call: ScriptedCall) => Response | Promise<Response>;

/** The API without a network: a function in place of fetch that serves routes such as `POST /v1/scrape`. */
export class ScriptedApi {
  readonly calls: ScriptedCall[] = [];

  constructor(private readonly routes: Readonly<Record<string, ScriptedRoute>>) {}

  readonly send = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const { method = 'GET', body } = init;
    const call: ScriptedCall = {
      method,
      path: `${pathname}${search}`,
      headers: new Headers(init.headers),
      body: typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {},
      signal: init.signal ?? new AbortController().signal,
    };
    this.calls.push(call);
    const route = this.routes[`${method} ${pathname}`];
    if (!route) return agentError(404, 'not_found');
    return Promise.race([route(call), whenAborted(call.signal)]);
  };

  /** Bodies of the requests to a route, oldest first. */
  bodiesOf(method: string, path: string): readonly ScriptedCall['body'][] {
    return this.calls
      .filter((call) => call.method === method && call.path === path)
      .map(({ body }) => body);
  }
}

/** As fetch does: rejects when the caller aborts. */
function whenAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** An error in the form for programs. */
export function agentError(status: number, code: string, message = `this is ${code}`): Response {
  const error = { message, code, suggested_fix: `fix ${code}`, request_id: 'r1' };
  return Response.json({ error }, { status });
}

/** A stream of events of a job: numbered page results, then its state, then its end if it is over. */
export function eventStream(
  first: number,
  pages: readonly object[],
  job: { status: string },
): Response {
  const events = pages.map(
    (page, index) => `event: document\nid: ${first + index}\ndata: ${JSON.stringify(page)}\n\n`,
  );
  const state = `event: status\ndata: ${JSON.stringify(job)}\n\n`;
  const end = `event: end\nid: end\ndata: ${JSON.stringify({ status: job.status })}\n\n`;
  return new Response(['retry: 2000\n\n', ...events, state, end].join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}
