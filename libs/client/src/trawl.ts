import { ApiConnection, type CallOptions, type TrawlOptions } from './api-connection.js';
import { TrawlPull } from './trawl-pull.js';
import type {
  BatchInput,
  BatchJobInput,
  ChatInput,
  CrawlInput,
  DirectoryInput,
  EnrichInput,
  ExtractInput,
  ExtractResponse,
  LocatedInput,
  MapInput,
  MapsInput,
  ParseInput,
  PreviewInput,
  PullInput,
  Schemas,
  ScrapeInput,
  ScrapeOutput,
  ScreenshotInput,
  SearchInput,
  SearchOutput,
  FeedInput,
} from './schemas.js';
import { TrawlJob } from './trawl-job.js';

/** A batch of 100 pages is answered within 10 minutes. */
const MANY_URLS_TIMEOUT_MS = 660_000;

/** A document file in memory; the service detects the type from the content, and of text from the name of a `File`. */
export type DocumentFile = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer;

/**
 * Client of the Trawl API. Every method rejects with TrawlError, or with the reason of `signal` when it is aborted.
 * Calls are retried after 429, 503 and network errors; a POST carries one Idempotency-Key for all attempts, so
 * nothing runs or is charged twice.
 */
export class Trawl {
  /** Connectors that run by a schedule and deliver their new rows. */
  readonly feeds: TrawlFeeds;
  private readonly connection: ApiConnection;

  /** @throws TypeError if `baseUrl` or `apiKey` cannot be used */
  constructor(options: TrawlOptions) {
    this.connection = new ApiConnection(options);
    this.feeds = new TrawlFeeds(this.connection);
  }

  /** Fetches a page. `markdown` is set unless `formats` leaves it out; other outputs are under `formats`. */
  scrape(url: string, options: ScrapeInput = {}, call?: CallOptions): Promise<ScrapeOutput> {
    return this.post('/v1/scrape', { ...options, url }, call);
  }

  /** Lists the pages of a site without fetching them. */
  map(url: string, options: MapInput = {}, call?: CallOptions): Promise<Schemas['MapResult']> {
    return this.post('/v1/map', { ...options, url }, call);
  }

  /** Extracts structured data from one of `url`, `urls`, `html` and `markdown`. */
  extract(options: ExtractInput, call?: CallOptions): Promise<ExtractResponse> {
    return this.post('/v1/extract', options, call, MANY_URLS_TIMEOUT_MS);
  }

  /** Markdown and text of a document file (PDF, Office, OpenDocument, EPUB, RTF, mail, CSV): a file, or its URL. */
  parse(
    source: string | URL | DocumentFile,
    options: ParseInput = {},
    call?: CallOptions,
  ): Promise<Schemas['ParseResult']> {
    if (typeof source === 'string' || source instanceof URL)
      return this.post('/v1/parse', { ...options, url: String(source) }, call);
    const form = new FormData();
    const name = source instanceof File ? source.name : 'document';
    form.set('file', source instanceof Blob ? source : new Blob([source]), name);
    for (const [field, value] of Object.entries(options))
      if (value != null) form.set(field, String(value));
    return this.post('/v1/parse', form, call);
  }

  /** Takes a picture of a page: `imageUrl` where object storage is configured, otherwise `base64`. */
  screenshot(
    url: string,
    options: ScreenshotInput = {},
    call?: CallOptions,
  ): Promise<Schemas['ScreenshotResult']> {
    return this.post('/v1/screenshot', { ...options, url }, call);
  }

  /** Contacts, team and technologies of a company. @param domain a domain or a URL of its site */
  enrich(
    domain: string,
    options: EnrichInput = {},
    call?: CallOptions,
  ): Promise<Schemas['EnrichResult']> {
    return this.post('/v1/enrich', { ...options, domain }, call);
  }

  /** Logo, colours, fonts and industry of a company. @param domain a domain or a URL of its site */
  brand(domain: string, call?: CallOptions): Promise<Schemas['BrandResult']> {
    return this.post('/v1/brand', { domain }, call);
  }

  /** One record of a company, by domain, e-mail address or name. */
  resolve(
    company: Schemas['ResolveRequest'],
    call?: CallOptions,
  ): Promise<Schemas['ResolveResult']> {
    return this.post('/v1/resolve', company, call);
  }

  /** Companies by technology, industry and place. */
  queryGraph(
    criteria: Schemas['GraphQueryRequest'],
    call?: CallOptions,
  ): Promise<Schemas['GraphQueryResult']> {
    return this.post('/v1/graph/query', criteria, call);
  }

  /** Searches the web. */
  search(query: string, options: SearchInput = {}, call?: CallOptions): Promise<SearchOutput> {
    return this.post('/v1/search', { ...options, query }, call);
  }

  /** Local businesses from a maps directory of the operator. On the Free plan they may be sample rows: `mock`. */
  scrapeMaps(
    query: string,
    options: MapsInput = {},
    call?: CallOptions,
  ): Promise<Schemas['MapsScraperResult']> {
    return this.post('/v1/scrapers/maps', { ...options, query }, call);
  }

  /** Local businesses from a reviews site. */
  scrapeReviews(
    query: string,
    options: LocatedInput,
    call?: CallOptions,
  ): Promise<Schemas['ReviewsScraperResult']> {
    return this.post('/v1/scrapers/reviews', { ...options, query }, call);
  }

  /** Local businesses from a phone-book directory. */
  scrapeListings(
    query: string,
    options: LocatedInput,
    call?: CallOptions,
  ): Promise<Schemas['ListingsScraperResult']> {
    return this.post('/v1/scrapers/listings', { ...options, query }, call);
  }

  /** Listings of up to 500 pages. With `jobId` in the result it is a job: pass it to `job(id)`. */
  scrapeDirectory(
    urls: readonly string[],
    options: DirectoryInput = {},
    call?: CallOptions,
  ): Promise<Schemas['DirectoryResult'] | Schemas['BatchAccepted']> {
    return this.post('/v1/scrapers/directory', { ...options, urls }, call, MANY_URLS_TIMEOUT_MS);
  }

  /** Sources of rows that can be previewed, pulled and watched by a feed. */
  async connectors(call: CallOptions = {}): Promise<readonly Schemas['ConnectorView'][]> {
    return (await this.get<Schemas['ConnectorCatalog']>('/v1/connectors', call)).connectors;
  }

  /** The first rows of a connector, and what all would cost; free. Its `jobId` can be pulled once. */
  preview(
    connectorId: string,
    options: PreviewInput = {},
    call?: CallOptions,
  ): Promise<Schemas['PreviewResult']> {
    return this.post('/v1/preview', { ...options, connectorId }, call);
  }

  /** A request in words: which connector it means, and a preview. Nothing is pulled or charged. */
  chat(
    message: string,
    options: ChatInput = {},
    call?: CallOptions,
  ): Promise<Schemas['ChatResult']> {
    return this.post('/v1/chat', { ...options, message }, call);
  }

  /** Pulls a preview: each row is charged once. `for await (const row of pull)` yields its rows. */
  async pull(jobId: string, options: PullInput = {}, call?: CallOptions): Promise<TrawlPull> {
    await this.post('/v1/pull', { ...options, jobId }, call);
    return this.startedPull(jobId);
  }

  /** A pull by its id, which is that of its preview; sends no request. */
  startedPull(jobId: string): TrawlPull {
    return new TrawlPull(this.connection, jobId);
  }

  /** Scrapes up to 100 pages and waits for all of them; an item that fails has `ok: false`. */
  batch(
    urls: readonly string[],
    options: BatchInput = {},
    call?: CallOptions,
  ): Promise<Schemas['BatchAnswer']> {
    return this.post('/v1/batch', { ...options, urls }, call, MANY_URLS_TIMEOUT_MS);
  }

  /** Scrapes up to 100 pages as a job. */
  async startBatch(
    urls: readonly string[],
    options: BatchJobInput = {},
    call?: CallOptions,
  ): Promise<TrawlJob> {
    const body = { ...options, urls, async: true };
    const started = await this.post<Schemas['BatchAccepted']>('/v1/batch', body, call);
    return new TrawlJob(this.connection, started.jobId, started.message);
  }

  /** Starts a crawl of a site. `for await (const page of crawl)` yields its page results. */
  async crawl(url: string, options: CrawlInput = {}, call?: CallOptions): Promise<TrawlJob> {
    const body = { ...options, url };
    const started = await this.post<Schemas['CrawlAccepted']>('/v1/crawl', body, call);
    return new TrawlJob(this.connection, started.jobId, started.message);
  }

  /** A job by its id, of any type; sends no request. */
  job(id: string): TrawlJob {
    return new TrawlJob(this.connection, id);
  }

  /** The 20 newest jobs. */
  async jobs(call: CallOptions = {}): Promise<readonly Schemas['JobSummary'][]> {
    const { jobs } = await this.get<Schemas['JobList']>('/v1/jobs', call);
    return jobs;
  }

  /** Usage of the month: plan, pages, credits. */
  usage(call: CallOptions = {}): Promise<Schemas['UsageRecord']> {
    return this.get('/v1/usage', call);
  }

  /** Version of the API that the service describes; needs no valid key. Compare it with API_VERSION. */
  async apiVersion(call: CallOptions = {}): Promise<string> {
    const { info } = await this.get<{ info: { version: string } }>('/openapi.json', call);
    return info.version;
  }

  private get<T>(path: string, call: CallOptions): Promise<T> {
    return this.connection.json<T>({ ...call, method: 'GET', path });
  }

  private post<T>(
    path: string,
    body: object,
    call: CallOptions = {},
    usualTimeoutMs?: number,
  ): Promise<T> {
    return this.connection.json<T>({ ...call, method: 'POST', path, body, usualTimeoutMs });
  }
}

type Feed = Schemas['FeedView'];

/** Feeds of the account. Every method that changes one returns it as it is afterwards. */
export class TrawlFeeds {
  constructor(private readonly connection: ApiConnection) {}

  /** Watches a connector by a schedule (cron, five fields). */
  create(feed: FeedInput, call: CallOptions = {}): Promise<Feed> {
    return this.connection.json({ ...call, method: 'POST', path: '/v1/feeds', body: feed });
  }

  /** All of them, newest first. */
  async list(call: CallOptions = {}): Promise<readonly Feed[]> {
    const path = '/v1/feeds';
    return (await this.connection.json<Schemas['FeedList']>({ ...call, method: 'GET', path }))
      .feeds;
  }

  get(id: string, call: CallOptions = {}): Promise<Feed> {
    return this.connection.json({ ...call, method: 'GET', path: pathOf(id) });
  }

  /** The newest 100 runs, newest first. */
  async runs(id: string, call: CallOptions = {}): Promise<readonly Schemas['FeedRunView'][]> {
    const path = `${pathOf(id)}/runs`;
    const { runs } = await this.connection.json<Schemas['FeedRunList']>({
      ...{ ...call, method: 'GET', path },
    });
    return runs;
  }

  pause(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'pause', call);
  }

  /** It runs again at its next tick. */
  resume(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'resume', call);
  }

  /** Runs it now, also while it is paused; its schedule stays. */
  run(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'run', call);
  }

  /** Gives its files new signed addresses: the former ones are good no more. */
  renewAddresses(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'addresses', call);
  }

  /** Deletes it with its rows, its history and pending deliveries. */
  delete(id: string, call: CallOptions = {}): Promise<Schemas['FeedDeleted']> {
    return this.connection.json({ ...call, method: 'DELETE', path: pathOf(id) });
  }

  private change(id: string, what: string, call: CallOptions = {}): Promise<Feed> {
    return this.connection.json({ ...call, method: 'POST', path: `${pathOf(id)}/${what}` });
  }
}

function pathOf(id: string): string {
  return `/v1/feeds/${encodeURIComponent(id)}`;
}
