import {
  htmlPage,
  startFixtureSite,
  until,
  type Answer,
  type FakeLlmServer,
  type FixtureSite,
  type TrawlClient,
} from '@app/testing';
import type { Mode } from './deployment.js';
import type { FakeProviders } from './fake-providers.js';
import { share, type SharedService } from './shared-cluster.js';

type FakeResults = FakeProviders['engines']['results'];

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

/** A service with three search engines, a model, and a site that the results lead to. */
export class SearchRun {
  readonly engines: FakeProviders['engines'];
  readonly llm: FakeLlmServer;

  private constructor(
    readonly service: SharedService,
    readonly site: FixtureSite,
  ) {
    ({ engines: this.engines, llm: this.llm } = service.providers);
  }

  static async start(mode: Mode): Promise<SearchRun> {
    const [service, site] = await Promise.all([share(mode), startFixtureSite()]);
    const run = new SearchRun(service, site);
    // The threads that read results start with the first one.
    const isWarm = async (): Promise<boolean> =>
      (await run.request({ query: 'warm' })).status === 200;
    await until(isWarm, { what: 'a first search', timeoutMs: 60_000 });
    return run;
  }

  async stop(): Promise<void> {
    await this.site.close();
    await this.service.stop();
  }

  /** Engines work, have these results, and were never out of order. */
  async reset(results: FakeResults = this.pages(12)): Promise<void> {
    for (const fake of [this.engines, this.llm]) fake.reset();
    this.engines.results = results;
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
