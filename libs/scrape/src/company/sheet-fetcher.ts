import type { Deadline, BrandReason } from '@app/contracts';
import { importedBy, decodeBody, sniffCharset, type FetchedSheet } from '@app/content';
import {
  BlockedUrlError,
  HttpFetchError,
  InvalidUrlError,
  type HttpClient,
  type HttpResponse,
} from '@app/egress';

/** Of one page (specification: brand_meta). */
const MAX_SHEETS = 40;
const MAX_SHEET_BYTES = 512 * 1_024;
const MAX_TOTAL_BYTES = 2 * 1_024 * 1_024;
const SHEET_MS = 4_000;
const ALL_SHEETS_MS = 6_000;

const AT_A_TIME = 6;
const ACCEPT = 'text/css,*/*;q=0.1';

export interface FetchedSheets {
  /** By the requested URL, in the order in which the page and its style sheets name them. */
  readonly sheets: readonly (readonly [string, FetchedSheet])[];
  readonly reasons: readonly BrandReason[];
}

interface Terms {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
}

/**
 * Fetches the style sheets of a page and their imports, through the egress guard and within the caps of the
 * specification. A sheet that cannot be fetched (refused, missing, too slow) is left out; cuts are reported by
 * name. robots.txt allowed the page, and these are parts of it, as for a browser.
 */
export class SheetFetcher {
  constructor(private readonly http: Pick<HttpClient, 'fetch'>) {}

  /** Never throws for a fault of the site; resolves within 6 s. */
  fetchAll(urls: readonly string[], { deadline, signal }: Terms): Promise<FetchedSheets> {
    const terms = { deadline: deadline.within(ALL_SHEETS_MS), ...(signal ? { signal } : {}) };
    return new SheetRun(this.http, terms).run(urls);
  }
}

/** The style sheets of one page. */
class SheetRun {
  private readonly queue: string[] = [];
  private readonly known = new Set<string>();
  private readonly bodies = new Map<string, Uint8Array>();
  private readonly answers = new Map<string, HttpResponse>();
  private readonly reasons = new Set<BrandReason>();
  private receivedBytes = 0;

  constructor(
    private readonly http: Pick<HttpClient, 'fetch'>,
    private readonly terms: Terms,
  ) {}

  async run(urls: readonly string[]): Promise<FetchedSheets> {
    for (const url of urls) this.enqueue(url);
    await this.fetchQueue();
    if (this.queue.length > 0 && this.terms.deadline.isPassed)
      this.reasons.add('stylesheet_budget');
    return { sheets: this.kept(), reasons: [...this.reasons] };
  }

  private enqueue(url: string): void {
    if (this.known.has(url)) return;
    if (this.known.size === MAX_SHEETS) {
      this.reasons.add('stylesheet_count_cap');
      return;
    }
    this.known.add(url);
    this.queue.push(url);
  }

  /** A few at a time; the imports of a fetched sheet join the queue. */
  private async fetchQueue(): Promise<void> {
    const running = new Set<Promise<void>>();
    while (this.mayStart || running.size > 0) {
      const url = this.mayStart && running.size < AT_A_TIME ? this.queue.shift() : undefined;
      if (url === undefined) {
        await Promise.race(running);
        continue;
      }
      const one: Promise<void> = this.fetchOne(url).finally(() => running.delete(one));
      running.add(one);
    }
  }

  /** Beyond the total, no later sheet of the page would be kept. */
  private get mayStart(): boolean {
    const { deadline, signal } = this.terms;
    const isOver = deadline.isPassed || (signal?.aborted ?? false);
    return this.queue.length > 0 && !isOver && this.receivedBytes <= MAX_TOTAL_BYTES;
  }

  private async fetchOne(url: string): Promise<void> {
    const response = await this.download(url);
    if (response === null) return;
    const { body } = response;
    if (body.length > MAX_SHEET_BYTES) this.reasons.add('stylesheet_byte_cap');
    const kept = body.subarray(0, MAX_SHEET_BYTES);
    const sheet = sheetText(response, kept);
    if (sheet === null) return;
    this.receivedBytes += kept.length;
    this.bodies.set(url, kept);
    this.answers.set(url, response);
    for (const imported of importedBy(sheet)) this.enqueue(imported);
  }

  /** Null: it cannot be fetched. The received part of a slow sheet is still of use. */
  private async download(url: string): Promise<HttpResponse | null> {
    const { signal } = this.terms;
    const deadline = this.terms.deadline.within(SHEET_MS);
    try {
      return await this.http.fetch({
        url,
        headers: { accept: ACCEPT },
        deadline,
        ...(signal ? { signal } : {}),
        // One byte more shows that the sheet is longer.
        maxBytes: MAX_SHEET_BYTES + 1,
      });
    } catch (error) {
      if (error instanceof HttpFetchError) return this.partOf(error, deadline);
      if (error instanceof BlockedUrlError || error instanceof InvalidUrlError) return null;
      throw error;
    }
  }

  private partOf({ errorClass, partial }: HttpFetchError, { atMs }: Deadline): HttpResponse | null {
    const isLastMoment = atMs === this.terms.deadline.atMs;
    if (errorClass === 'timeout')
      this.reasons.add(isLastMoment ? 'stylesheet_budget' : 'stylesheet_timeout');
    return partial;
  }

  /** In the page's order, up to the total size. */
  private kept(): FetchedSheets['sheets'] {
    let leftBytes = MAX_TOTAL_BYTES;
    const sheets: (readonly [string, FetchedSheet])[] = [];
    for (const url of this.known) {
      const [body, answer] = [this.bodies.get(url), this.answers.get(url)];
      if (body === undefined || answer === undefined) continue;
      if (body.length > leftBytes) this.reasons.add('stylesheet_total_byte_cap');
      const sheet = sheetText(answer, body.subarray(0, leftBytes));
      if (sheet !== null && leftBytes > 0) sheets.push([url, sheet]);
      leftBytes = Math.max(0, leftBytes - body.length);
    }
    return sheets;
  }
}

/** Content types of a style sheet; some servers send none, or a generic one. */
const SHEET_TYPE = /^\s*(?:text\/css|text\/plain|application\/(?:octet-stream|x-css)|;|$)/i;

/** The text of a style sheet; null if the response is none (an error page, an image). */
export function sheetText(response: HttpResponse, body: Uint8Array): FetchedSheet | null {
  const { status, headers, url } = response;
  const header = headers['content-type'];
  const contentType = typeof header === 'string' ? header : '';
  if (status < 200 || status >= 300 || !SHEET_TYPE.test(contentType)) return null;
  return { url, css: decodeBody(body, sniffCharset(body, contentType, { url })) };
}
