import {
  fileOf,
  until,
  type Answer,
  type FixtureSite,
  type OwnPage,
  type SiteServer,
} from '@app/testing';
import type { Mode, Service } from './deployment.js';
import { bareSite, type Pages } from './map-run.js';
import { share } from './shared-cluster.js';

export interface BrandBody {
  readonly domain: string;
  readonly name?: string;
  readonly logo?: string;
  readonly colors: readonly { readonly hex: string; readonly frequency: number }[];
  readonly fonts: readonly string[];
  readonly brand_meta: { readonly partial: boolean; readonly reasons: readonly string[] };
  readonly _provenance: Readonly<Record<string, string>>;
  readonly _freshness: string;
}

export interface ScrapedBranding {
  readonly colors?: { readonly primary?: string; readonly background?: string };
  readonly fonts?: readonly { readonly family: string }[];
  readonly brand_meta: { readonly partial: boolean; readonly reasons: readonly string[] };
}

/** Cuts of what a busy machine did not do in seconds. */
const OF_TIME: readonly string[] = ['stylesheet_budget', 'stylesheet_timeout'];

const WORDS = `<p>${'Words of a real homepage. '.repeat(20)}</p>`;

/** A homepage with text enough to be one; `head` and `body` are what a test is about. */
export const brandPage = (head: string, body = ''): string =>
  `<!doctype html><html><head>${head}</head><body>${WORDS}${body}</body></html>`;

export const sheet = (css: string | Uint8Array): OwnPage =>
  fileOf(css, { 'content-type': 'text/css; charset=utf-8' });

/** A sheet that begins to answer after `ms`. */
export const slowSheet =
  (css: string, ms: number): OwnPage =>
  ({ response }) => {
    const timer = setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/css' });
      response.end(css);
    }, ms);
    response.on('close', () => clearTimeout(timer));
  };

/** A sheet that goes on as long as the client reads. */
export const endlessSheet: OwnPage = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/css' });
  const piece = '.a{color:#a00}\n'.repeat(5_000);
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
};

export const link = (href: string): string => `<link rel="stylesheet" href="${href}">`;

export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** A homepage that links these sheets. */
export function linked(sheets: readonly Pages[string][], head = '', body = ''): Pages {
  const pages = sheets.map((one, n) => [`/${n}.css`, one] as const);
  return {
    '/': brandPage(pages.map(([path]) => link(path)).join('') + head, body),
    ...Object.fromEntries(pages),
  };
}

/** A service that is asked for brands, and the sites they are about. */
export class BrandRun {
  private readonly sites: SiteServer[] = [];

  private constructor(readonly service: Service) {}

  static async start(mode: Mode): Promise<BrandRun> {
    return new BrandRun(await share(mode));
  }

  /** A site with an origin of its own. */
  async open(pages: Pages): Promise<FixtureSite> {
    const site = await bareSite(pages);
    this.sites.push(site);
    return site;
  }

  async closeSites(): Promise<void> {
    await Promise.all(this.sites.splice(0).map((site) => site.close()));
  }

  /** The branding of a page that is scraped. */
  async branding(pages: Pages): Promise<ScrapedBranding> {
    const url = (await this.open(pages)).url('/');
    const { status, body } = await this.service.client.scrape({ url, formats: ['branding'] });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('html');
    return (body as { formats: { branding: ScrapedBranding } }).formats.branding;
  }

  ask(site: FixtureSite): Promise<Answer> {
    return this.service.client.brand({ domain: site.url('/') });
  }

  async read(site: FixtureSite): Promise<BrandBody> {
    const answer = await this.ask(site);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return answer.body as BrandBody;
  }

  async reasons(pages: Pages): Promise<readonly string[]> {
    const site = await this.open(pages);
    const inTime = async (): Promise<BrandBody['brand_meta'] | null> => {
      const { brand_meta: meta } = await this.read(site);
      return meta.reasons.some((reason) => OF_TIME.includes(reason)) ? null : meta;
    };
    const meta = await until(inTime, { what: 'a reading that had its time' });
    expect(meta.partial).toBe(meta.reasons.length > 0);
    return meta.reasons;
  }
}
