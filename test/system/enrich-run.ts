import {
  NOT_FOUND,
  startFixtureSite,
  until,
  type Answer,
  type FixtureSite,
  type SiteServer,
  type TrawlClient,
} from '@app/testing';
import type { Caller, Service } from './deployment.js';
import type { Pages } from './map-run.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';

export interface EnrichBody {
  readonly domain: string;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly social: Readonly<Record<string, string>>;
  readonly tech_stack: readonly { readonly name: string; readonly version?: string }[];
  readonly team: readonly { readonly name: string; readonly role?: string }[];
  readonly pages_crawled: number;
  readonly homepage: Readonly<Record<string, string>>;
  readonly brand?: Readonly<Record<string, unknown>>;
  readonly brand_meta?: { readonly partial: boolean; readonly reasons: readonly string[] };
  readonly tech_meta?: {
    readonly partial: boolean;
    readonly reasons: readonly string[];
    readonly scanned_bytes: number;
    readonly duration_ms: number;
    readonly sources?: readonly string[];
  };
  readonly _completeness: number;
  readonly _confidence: number;
  readonly _extraction_method: string;
  readonly _latency_ms: number;
  readonly _cache_age_ms?: number;
}

/** What the `Fixture Trap` of the fingerprints never gets to the end of. */
export const TRAP = `fixture-bait${'a'.repeat(60)}!`;

export const acmePage = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Acme Tools</title>${head}</head><body><h1>Acme Tools</h1><p>${'We make tools for people who build things. '.repeat(12)}</p>${body}</body></html>`;

/** Enrichments as a tenant, and the sites they are about. */
export class EnrichFixture<S extends Service = Service> {
  private readonly sites: SiteServer[] = [];

  private constructor(
    readonly service: S,
    /** Who asks. */
    private caller: Caller,
  ) {}

  static async on<S extends Service>(service: S): Promise<EnrichFixture<S>> {
    return new EnrichFixture(service, await service.tenant());
  }

  get client(): TrawlClient {
    return this.caller.client;
  }

  /** From now on another tenant asks: one without charges. */
  async asAnother(): Promise<Caller> {
    return (this.caller = await this.service.tenant());
  }

  /** Threads that were lost are replaced, and compile fingerprints before they scan a page. */
  async scannerIsWarm(): Promise<void> {
    const site = await this.open();
    const isWarm = async (): Promise<boolean> =>
      (await this.enrich({ domain: site.url() })).tech_meta?.partial === false;
    await until(isWarm, { what: 'a warm scanner', timeoutMs: 60_000 });
    await this.closeSites();
  }

  async stop(): Promise<void> {
    await this.closeSites();
    await this.service.stop();
  }

  /** A site with only these pages. It has received no request yet. */
  async open(pages: Pages = {}): Promise<FixtureSite> {
    const site = await startFixtureSite({ robots: '' });
    site.serve({ '/': acmePage('home'), ...withoutOthers(pages), ...pages });
    this.sites.push(site);
    return site;
  }

  async closeSites(): Promise<void> {
    await Promise.all(this.sites.splice(0).map((site) => site.close()));
  }

  ask(
    body: object,
    { path: at = '/v1/enrich/website', client = this.client }: EnrichOptions = {},
  ): Promise<Answer> {
    return client.enrich(body, at === '/v1/enrich' ? 'usual' : 'chosen');
  }

  /** The answer, which is to be a result. */
  async enrich(body: object, asking?: EnrichOptions): Promise<EnrichBody> {
    const answer = await this.ask(body, asking);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return answer.body as EnrichBody;
  }

  /** Of the sites in the graph: all of them are on one host. */
  forgetCompany(): Promise<unknown> {
    return this.service.database.query({
      name: 'test_forget_company',
      text: `DELETE FROM businesses WHERE domain = '127.0.0.1'`,
    });
  }

  booked(): Promise<readonly { readonly operation: string; readonly credits: number }[]> {
    return this.service.database.query(
      {
        name: 'test_booked',
        text: 'SELECT operation, credits::int, cost_micro_usd::int AS cost FROM credit_ledger WHERE tenant_id = $1 ORDER BY id',
      },
      [this.caller.id],
    );
  }

  /** Keys of pages of the tenant that wait for a scan. */
  async waitingPages(): Promise<readonly string[]> {
    const blobs = storageOf(this.service);
    try {
      return await blobKeysWith(blobs, this.caller.id, 'scans/');
    } finally {
      await blobs.close();
    }
  }
}

export interface EnrichOptions {
  readonly path?: '/v1/enrich' | '/v1/enrich/website';
  readonly client?: TrawlClient;
}

/** The fixture site has pages of its own at some of these. */
function withoutOthers(pages: Pages): Pages {
  const usual = ['/about', '/about-us', '/team', '/our-team', '/contact', '/contact-us'];
  return Object.fromEntries(
    usual.filter((at) => !(at in pages)).map((at): [string, Pages[string]] => [at, NOT_FOUND]),
  );
}
