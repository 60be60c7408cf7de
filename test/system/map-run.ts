import {
  NOT_FOUND,
  startFixtureSite,
  TrawlClient,
  type Answer,
  type FixtureSite,
  type OwnPage,
  type SiteServer,
} from '@app/testing';
import type { Plan } from '@app/contracts';
import { createCaller, type Service } from './deployment.js';

export interface MapBody {
  readonly url: string;
  readonly links: readonly string[];
  readonly total: number;
  readonly source: string;
  readonly timedOut?: boolean;
  readonly cuts?: readonly string[];
}

export type Pages = Readonly<Record<string, OwnPage>>;

/** A site without robots.txt, sitemaps or homepage, each of which a test puts there. */
export async function bareSite(pages: Pages = {}): Promise<FixtureSite> {
  const site = await startFixtureSite();
  site.serve({
    '/robots.txt': NOT_FOUND,
    '/sitemap.xml': NOT_FOUND,
    '/sitemap_index.xml': NOT_FOUND,
    '/': NOT_FOUND,
    ...pages,
  });
  return site;
}

export const homepage = (links: string): string =>
  `<!doctype html><html><head><title>Home</title></head><body><h1>Home</h1><p>${'Words of a real homepage. '.repeat(20)}</p>${links}</body></html>`;

/** A service that is asked for maps, and the sites they are about. */
export class MapRun {
  private readonly sites: SiteServer[] = [];

  constructor(readonly service: Service) {}

  /** A site with an origin of its own, of which nothing is remembered. */
  async open(pages?: Pages): Promise<FixtureSite> {
    const site = await bareSite(pages);
    this.sites.push(site);
    return site;
  }

  async closeSites(): Promise<void> {
    await Promise.all(this.sites.splice(0).map((site) => site.close()));
  }

  ask(body: object, client: TrawlClient = this.service.client): Promise<Answer> {
    return client.call('POST', '/v1/map', body);
  }

  async map(body: object, client?: TrawlClient): Promise<MapBody> {
    const answer = await this.ask(body, client);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return answer.body as MapBody;
  }

  async tenantOn(plan: Plan): Promise<{ readonly id: string; readonly client: TrawlClient }> {
    const { database, url } = this.service;
    const { id, key } = await createCaller(database, `on ${plan}`, plan);
    return { id, client: new TrawlClient(url, key) };
  }

  async chargesOf(tenantId: string): Promise<readonly unknown[]> {
    return this.service.database.query(
      {
        name: 'test_booked',
        text: 'SELECT operation, credits::int FROM credit_ledger WHERE tenant_id = $1',
      },
      [tenantId],
    );
  }
}
