import { pause } from './until.js';

/** A page in results, as far as tests examine it. */
export interface ResultPage {
  /** Of a batch: place of the address. */
  readonly index?: number;
  readonly url: string;
  readonly statusCode: number;
  readonly markdown?: string;
  readonly links?: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface StartedCrawl {
  readonly jobId: string;
  readonly status: string;
  readonly url: string;
  readonly message: string;
}

export interface JobResponse {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly result_url: string | null;
  readonly pages_scraped: number;
  readonly error: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly pages: JobPageCounts;
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
}

export interface JobPageCounts {
  readonly discovered: number;
  readonly pending: number;
  readonly leased: number;
  readonly scraped: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cancelled: number;
}

export interface ResultsSlice {
  readonly id: string;
  readonly status: string;
  readonly results: readonly ResultPage[];
  readonly next: string | null;
}

/** Any response: for tests of errors and of exact bodies. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is not. */
  readonly body: unknown;
}

/** The service answered, but not with what the call is for. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(
    what: string,
    readonly answer: Answer,
  ) {
    super(`${what} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  }
}

const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Small HTTP client of the service for tests and benchmarks: one method per call, no retries. */
export class TrawlClient {
  constructor(
    readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** POST /v1/scrape; the answer as it came, whatever its status. The signal hangs up. */
  scrape(body: unknown, signal?: AbortSignal): Promise<Answer> {
    return this.call('POST', '/v1/scrape', body, signal);
  }

  /** POST /v1/brand; the answer as it came, whatever its status. The signal hangs up. */
  brand(body: unknown, signal?: AbortSignal): Promise<Answer> {
    return this.call('POST', '/v1/brand', body, signal);
  }

  /** POST /v1/enrich, or /v1/enrich/website; the answer as it came, whatever its status. */
  enrich(body: unknown, pages: 'usual' | 'chosen' = 'usual'): Promise<Answer> {
    return this.call('POST', pages === 'usual' ? '/v1/enrich' : '/v1/enrich/website', body);
  }

  /** POST /v1/crawl; rejects with UnexpectedAnswer unless it is 202. */
  async crawl(body: unknown): Promise<StartedCrawl> {
    return this.expect<StartedCrawl>(202, 'POST', '/v1/crawl', body);
  }

  job(id: string): Promise<JobResponse> {
    return this.expect<JobResponse>(200, 'GET', `/v1/jobs/${id}`);
  }

  jobs(): Promise<unknown> {
    return this.expect<unknown>(200, 'GET', '/v1/jobs');
  }

  cancel(id: string): Promise<Answer> {
    return this.call('DELETE', `/v1/crawl/${id}`);
  }

  /** One slice of the results. */
  resultsSlice(id: string, query: { cursor?: string; limit?: number } = {}): Promise<ResultsSlice> {
    const search = new URLSearchParams();
    if (query.cursor !== undefined) search.set('cursor', query.cursor);
    if (query.limit !== undefined) search.set('limit', String(query.limit));
    return this.expect<ResultsSlice>(200, 'GET', `/v1/crawl/${id}/results?${search}`);
  }

  /** All results, by following the cursor; rejects when a cursor comes twice. */
  async results(id: string, limit = 100): Promise<readonly ResultPage[]> {
    const pages: ResultPage[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const slice = await this.resultsSlice(id, { cursor, limit });
      pages.push(...slice.results);
      cursor = slice.next ?? undefined;
      if (cursor !== undefined && seen.has(cursor)) throw new Error(`cursor ${cursor} came twice`);
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
    return pages;
  }

  /** All results as one stream of lines, page by page, holding one line at a time. */
  async *ndjson(id: string): AsyncGenerator<ResultPage> {
    const path = `/v1/crawl/${id}/results`;
    const response = await this.fetch('GET', path, undefined, { accept: 'application/x-ndjson' });
    if (!response.ok || response.body === null) {
      throw new UnexpectedAnswer(`GET ${path} (ndjson)`, await toAnswer(response));
    }
    for await (const line of linesOf(response.body)) yield JSON.parse(line) as ResultPage;
  }

  /**
   * Polls until the job is completed, failed or cancelled; rejects with its last state otherwise.
   */
  async waitForEnd(id: string, { timeoutMs = 100_000, pollMs = 50 } = {}): Promise<JobResponse> {
    const endsAtMs = performance.now() + timeoutMs;
    for (;;) {
      const job = await this.job(id);
      if (ENDED.includes(job.status)) return job;
      if (performance.now() > endsAtMs) {
        throw new Error(`job ${id} did not end within ${timeoutMs} ms: ${JSON.stringify(job)}`);
      }
      await pause(pollMs);
    }
  }

  /** Any call; a string body is sent as it is, anything else as JSON. */
  async call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
    return toAnswer(await this.fetch(method, path, body, { signal }));
  }

  private async expect<T>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    const answer = await this.call(method, path, body);
    if (answer.status !== status) throw new UnexpectedAnswer(`${method} ${path}`, answer);
    return answer.body as T;
  }

  private async fetch(
    method: string,
    path: string,
    body?: unknown,
    { accept = 'application/json', signal }: { accept?: string; signal?: AbortSignal } = {},
  ) {
    const headers: Record<string, string> = { 'x-api-key': this.apiKey, accept };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const send = () => fetch(new URL(path, this.baseUrl), { method, headers, body: text, signal });
    try {
      return await send();
    } catch (error) {
      // The server closed a kept connection as we took it up (RFC 9110, 9.2.2): what reads may be
      // sent again.
      if (method !== 'GET' || !isClosedByServer(error)) throw error;
      return await send();
    }
  }
}

function isClosedByServer(error: unknown): boolean {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause;
  return cause?.code === 'UND_ERR_SOCKET';
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseOrUndefined(text) };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, which `Answer.body` says by being undefined; the text is there.
    return undefined;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}
