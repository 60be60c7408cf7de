import type { IncomingMessage } from 'node:http';
import {
  spawnApp,
  startFixtureSite,
  until,
  TrawlClient,
  type FixtureSite,
  type JobResponse,
} from '@app/testing';
import { startStandalone, type Deployment, type Service } from './deployment.js';
import { eventsOf, openAnswer, type ServerEvent } from './results-reading.js';

/** Pages of the crawl that every rig has. */
export const CRAWL_PAGES = 40;
export const ACCEPT_NDJSON = { accept: 'application/x-ndjson' };

/** The service with a completed crawl: of a tree, and of pages that are left out for a reason. */
export class ResultsFixture<S extends Service = Service> {
  private constructor(
    readonly site: FixtureSite,
    readonly service: S,
    public client: TrawlClient,
    public job: JobResponse,
  ) {}

  static async start<S extends Service>(open: () => Promise<S>): Promise<ResultsFixture<S>> {
    const site = await startFixtureSite({ treePages: 200, slowPages: 60, slowMs: 150 });
    site.serve(ownPages());
    const service = await open();
    const fixture = new ResultsFixture(site, service, service.client, {} as JobResponse);
    fixture.job = await fixture.crawl({ url: site.url('/start'), limit: CRAWL_PAGES });
    return fixture;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.site.close();
  }

  get url(): string {
    return this.client.baseUrl;
  }

  /** Starts a crawl of the site. */
  async begin(body: { readonly url: string; readonly limit: number }): Promise<string> {
    const started = await this.client.crawl({ sitemap: 'skip', allowBackwardLinks: true, ...body });
    return started.jobId;
  }

  /** A crawl and its end. */
  async crawl(body: {
    readonly url: string;
    readonly limit: number;
    readonly scrapeOptions?: object;
  }): Promise<JobResponse> {
    return this.client.waitForEnd(await this.begin(body), { timeoutMs: 60_000 });
  }

  open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    return openAnswer(`${this.url}${path}`, { 'x-api-key': this.service.key, ...headers });
  }

  ofJob(part: string, headers?: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    return this.open(`/v1/crawl/${this.job.id}/${part}`, headers);
  }

  /** The process that serves HTTP, again and at another port. */
  async restart(this: ResultsFixture<Deployment>): Promise<void> {
    const { service } = this;
    const app =
      service.mode === 'embedded'
        ? await startStandalone(service.env)
        : await spawnApp({ app: 'api', env: service.env });
    service.apps[0] = app;
    this.client = new TrawlClient(app.url, service.key);
    await until(async () => (await fetch(`${app.url}/health/ready`)).ok, {
      what: 'a ready API',
      timeoutMs: 60_000,
    });
  }
}

function ownPages(): Record<string, string> {
  const page = (body: string) => `<html><body><main>${body}</main></body></html>`;
  const links = ['/tree/0', '/private/a', '/missing', '/twin/a', '/twin/b', '/twin/c']
    .map((path) => `<a href="${path}">${path}</a>`)
    .join(' ');
  const twin = page(`<p>${'The same words on every twin. '.repeat(20)}</p>`);
  return {
    '/start': page(`<h1>Start</h1><p>${'A page that leads on. '.repeat(20)}</p>${links}`),
    '/twin/a': twin,
    '/twin/b': twin,
    '/twin/c': twin,
  };
}

export function linesOf(text: Buffer): string[] {
  return text.toString().split('\n').slice(0, -1);
}

export async function collectEvents(response: IncomingMessage): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

export const numbersOf = (events: readonly ServerEvent[]) =>
  events.flatMap(({ event, id }) => (event === 'document' ? [Number(id)] : []));
export const documentsOf = (events: readonly ServerEvent[]) =>
  events.flatMap(({ event, data }) => (event === 'document' ? [data] : []));
