import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  NOT_FOUND,
  spawnApp,
  startFixtureSite,
  TrawlClient,
  until,
  type Answer,
  type FixtureSite,
  type SiteServer,
  type SpawnedApp,
} from '@app/testing';
import { deploy, type Deployment, type DeployOptions, type Mode } from './deployment.js';
import type { Pages } from './map-run.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';

/** Far below the default, so that a site which hangs is soon over. */
export const ENRICH_TIMEOUT_MS = 8_000;

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

/** Technologies that no real site has, one for each kind of mark. */
const FINGERPRINTS = {
  categories: { 1: { name: 'CMS' }, 2: { name: 'JavaScript libraries' }, 3: { name: 'Analytics' } },
  technologies: {
    'Fixture CMS': {
      cats: [1],
      meta: { generator: '^FixtureCMS ([\\d.]+)\\;version:\\1' },
    },
    'Fixture Session': { cats: [1], cookies: { fixture_session: '' } },
    'Fixture Front': { cats: [1], headers: { 'x-fixture-front': '' } },
    FixtureJS: { cats: [2], js: { 'fixtureLib.version': '^([\\d.]+)$\\;version:\\1' } },
    'Fixture Beacon': { cats: [3], xhr: '/fixture-beacon\\?' },
    // Not for linear engines, and endless on its bait.
    'Fixture Trap': { cats: [3], html: '(?=fixture-bait)fixture-bait(?:(?:a+)+)+$' },
  },
};

/** What the trap of {@link FINGERPRINTS} never gets to the end of. */
export const TRAP = `fixture-bait${'a'.repeat(60)}!`;

export const acmePage = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Acme Tools</title>${head}</head><body><h1>Acme Tools</h1><p>${'We make tools for people who build things. '.repeat(12)}</p>${body}</body></html>`;

/** A deployment for enrichments, and the sites they are about. */
export class EnrichFixture {
  private readonly sites: SiteServer[] = [];

  private constructor(
    readonly service: Deployment,
    private readonly folder: string,
  ) {}

  /** @param hasScanner false: no tech-scan app (of a cluster) */
  static async start(
    mode: Mode,
    {
      env = {},
      hasScanner = true,
      ...options
    }: DeployOptions & { readonly hasScanner?: boolean } = {},
  ): Promise<EnrichFixture> {
    const folder = mkdtempSync(path.join(tmpdir(), 'trawl-fingerprints-'));
    const file = path.join(folder, 'technologies.json');
    writeFileSync(file, JSON.stringify(FINGERPRINTS));
    const own = {
      BROWSER_MAX: '0',
      SCRAPE_TIMEOUT_MS: String(ENRICH_TIMEOUT_MS),
      TECH_FINGERPRINTS_PATH: file,
      ...env,
    };
    const service = await deploy(mode, { ...options, env: own });
    const run = new EnrichFixture(service, folder);
    try {
      if (mode === 'cluster' && hasScanner) await run.startScanner();
      return run;
    } catch (error) {
      await run.stop();
      throw error;
    }
  }

  async startScanner(): Promise<SpawnedApp> {
    const { apps, env } = this.service;
    const app = await spawnApp({ app: 'tech-scan', env });
    apps.push(app);
    await app.process.waitForLog((line) => line.msg === 'ready', 'ready', 60_000);
    return app;
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
    rmSync(this.folder, { recursive: true, force: true });
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
    { path: at = '/v1/enrich/website', client = this.service.client }: EnrichOptions = {},
  ): Promise<Answer> {
    return client.enrich(body, at === '/v1/enrich' ? 'usual' : 'chosen');
  }

  /** The answer, which is to be a result. */
  async enrich(body: object, asking?: EnrichOptions): Promise<EnrichBody> {
    const answer = await this.ask(body, asking);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return answer.body as EnrichBody;
  }

  booked(): Promise<readonly { readonly operation: string; readonly credits: number }[]> {
    return this.service.database.query({
      name: 'test_booked',
      text: 'SELECT operation, credits::int, cost_micro_usd::int AS cost FROM credit_ledger ORDER BY id',
    });
  }

  deleteCharges(): Promise<unknown> {
    return this.service.database.query({ name: 'reset', text: 'TRUNCATE credit_ledger' });
  }

  /** Keys of pages that wait for a scan. */
  async waitingPages(): Promise<readonly string[]> {
    const blobs = storageOf(this.service);
    try {
      return await blobKeysWith(blobs, '', 'scans/');
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
