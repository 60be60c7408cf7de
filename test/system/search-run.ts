import type { Plan } from '@app/contracts';
import {
  htmlPage,
  startFakeLlm,
  startFakeSearch,
  startFixtureSite,
  TrawlClient,
  until,
  type Answer,
  type FakeLlmServer,
  type FixtureSite,
} from '@app/testing';
import { createCaller, deploy, type Deployment, type Mode } from './deployment.js';

type FakeSearch = Awaited<ReturnType<typeof startFakeSearch>>;
type FakeResults = FakeSearch['results'];

/** Far below the default, so that backends that hang are soon over. */
const SEARCH_TIMEOUT_MS = 9_000;

export interface SearchBody {
  readonly query: string;
  readonly results: readonly {
    readonly url: string;
    readonly title: string;
    readonly snippet: string;
    readonly position: number;
    readonly markdown: string | null;
  }[];
  readonly source: string;
  readonly total: number;
  readonly error?: string;
  readonly answer?: string;
  readonly search: Readonly<Record<string, unknown>>;
}

export interface SearchTenant {
  readonly id: string;
  readonly key: string;
  readonly client: TrawlClient;
}

/** A service with three search engines, a model, and a site that the results lead to. */
export class SearchRun {
  private constructor(
    readonly service: Deployment,
    readonly engines: FakeSearch,
    readonly site: FixtureSite,
    readonly llm: FakeLlmServer,
  ) {}

  static async start(mode: Mode): Promise<SearchRun> {
    const [engines, site, llm] = await Promise.all([
      startFakeSearch(),
      startFixtureSite(),
      startFakeLlm(),
    ]);
    const service = await deploy(mode, {
      env: {
        ...engines.settings,
        BROWSER_MAX: '0',
        SEARCH_TIMEOUT_MS: String(SEARCH_TIMEOUT_MS),
        SCRAPE_TIMEOUT_MS: '8000',
        LLM_TIMEOUT_MS: '3000',
        LLM_BASE_URL: llm.baseUrl,
        LLM_API_KEY: llm.key ?? '',
        LLM_MODEL_LOW: 'small',
      },
    });
    const run = new SearchRun(service, engines, site, llm);
    // The threads that read results start with the first one.
    const isWarm = async (): Promise<boolean> =>
      (await run.request({ query: 'warm' })).status === 200;
    await until(isWarm, { what: 'a first search', timeoutMs: 60_000 });
    return run;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.engines.close(), this.site.close(), this.llm.close()]);
  }

  /** Engines work, have these results, and were never out of order. */
  async reset(results: FakeResults = this.pages(12)): Promise<void> {
    Object.assign(this.engines.modes, { serp: 'ok', searxng: 'ok', html: 'ok' });
    this.engines.results = results;
    this.llm.mode = 'ok';
    await this.service.database.query({
      name: 'test_forget_backends',
      text: 'DELETE FROM search_backends',
    });
  }

  /** Results that lead to pages of the site. */
  pages(count: number): FakeResults {
    return Array.from({ length: count }, (_, at) => ({
      url: this.site.url(`/found/${at + 1}?utm_source=engine`),
      title: `Page ${at + 1}`,
      snippet: `About page ${at + 1}.`,
    }));
  }

  /** Serves pages of {@link pages}, each with a word of its own. */
  servePages(count: number): void {
    const pages = Array.from({ length: count }, (_, at) => [
      `/found/${at + 1}`,
      htmlPage({
        title: `Page ${at + 1}`,
        body: `<main><h1>Page ${at + 1}</h1><p>${`The marker of it is word${at + 1}. `.repeat(20)}</p></main>`,
      }),
    ]);
    this.site.serve(Object.fromEntries(pages) as Record<string, string>);
  }

  request(body: object, client: TrawlClient = this.service.client): Promise<Answer> {
    return client.call('POST', '/v1/search', body);
  }

  async search(body: object, client?: TrawlClient): Promise<SearchBody> {
    const answer = await this.request(body, client);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return answer.body as SearchBody;
  }

  async tenantOn(plan: Plan): Promise<SearchTenant> {
    const { database, url } = this.service;
    const { id, key } = await createCaller(database, `search on ${plan}`, plan);
    return { id, key, client: new TrawlClient(url, key) };
  }

  /** Of all processes. */
  async metrics(): Promise<string> {
    const texts = this.service.apps.map(async ({ metricsUrl }) =>
      (await fetch(`${metricsUrl}/metrics`)).text(),
    );
    return (await Promise.all(texts)).join('\n');
  }

  chargesOf(tenantId: string): Promise<readonly Record<string, unknown>[]> {
    return this.service.database.query(
      {
        name: 'test_search_charges',
        text: `SELECT operation, credits::int, cost_micro_usd::int AS cost FROM credit_ledger WHERE tenant_id = $1 ORDER BY id`,
      },
      [tenantId],
    );
  }
}
