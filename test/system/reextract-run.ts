import type { Plan } from '@app/contracts';
import {
  pdfOf,
  type Answer,
  type FixtureSite,
  type JobResponse,
  type ResultPage,
  type TrawlClient,
} from '@app/testing';
import type { Service } from './deployment.js';

const BAKERY = {
  '@context': 'https://schema.org',
  '@type': 'Bakery',
  name: 'Corner Bakery',
  telephone: '+1 512-555-0147',
  address: {
    '@type': 'PostalAddress',
    streetAddress: '12 Main Street',
    addressLocality: 'Austin',
    addressRegion: 'TX',
    postalCode: '78701',
  },
};

export const SHOP_PATHS = ['/shop', '/shop/bakery', '/shop/kettle', '/shop/notes', '/shop/paper'];

const menu = SHOP_PATHS.map((path) => `<a href="${path}">${path}</a>`).join(' ');
const page = (title: string, main: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="windows-1252"><title>${title}</title>${head}</head>
<body><nav>${menu}</nav><main><h1>${title}</h1>${main}</main><footer>Imprint</footer></body></html>`;

/** A shop of a page of each kind: what a model reads, a listing, nothing of either, a document. */
export function serveShop(site: FixtureSite): void {
  site.serve({
    '/shop': page('Shop', '<p>Kettles and bread, each of them made by hand in our own house.</p>'),
    '/shop/bakery': page(
      'Corner Bakery',
      '<p>Bread and cake since 1987.</p><p>12 Main Street, Austin, TX 78701</p><p>(512) 555-0147</p>',
      `<script type="application/ld+json">${JSON.stringify(BAKERY)}</script>`,
    ),
    '/shop/kettle': page(
      'Kettle – café',
      '<p>Price: 34.5</p><p>Colour: blue</p><p>It holds two litres and boils them in minutes.</p>',
    ),
    '/shop/notes': page('Notes', '<p>The weather has been mild this week and will stay so.</p>'),
    '/shop/paper': ({ response }) => {
      response
        .writeHead(200, { 'content-type': 'application/pdf' })
        .end(pdfOf(['Price: 12', 'Colour: white']));
    },
  });
}

export const PRICE_COLOUR_SCHEMA = {
  type: 'object',
  properties: { price: { type: 'number' }, colour: { type: 'string' } },
};

/** A page in the results of a re-extraction. */
export interface MadePage extends ResultPage {
  readonly json?: unknown;
  readonly summary?: unknown;
  readonly listing?: unknown;
  readonly _provenance?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface Accepted {
  readonly jobId: string;
  readonly sourceJobId: string;
  readonly pages: number;
}

/** A tenant of its own with calls of the service that these specs make. */
export class Shopper {
  private constructor(
    readonly tenantId: string,
    readonly client: TrawlClient,
    private readonly service: Service,
  ) {}

  static async on(service: Service, plan: Plan = 'custom'): Promise<Shopper> {
    const { id, client } = await service.tenant(plan);
    return new Shopper(id, client, service);
  }

  /** A crawl that has ended. */
  async crawl(url: string, scrapeOptions: object = {}): Promise<JobResponse> {
    const { jobId } = await this.client.crawl({
      ...{ url, limit: 100, sitemap: 'skip', allowBackwardLinks: true },
      scrapeOptions,
    });
    const job = await this.client.waitForEnd(jobId);
    expect([job.status, job.error]).toEqual(['completed', null]);
    return job;
  }

  asked(sourceId: string, body: unknown): Promise<Answer> {
    return this.client.call('POST', `/v1/crawl/${sourceId}/extract`, body);
  }

  async begin(sourceId: string, body: unknown): Promise<Accepted> {
    const answer = await this.asked(sourceId, body);
    expect([answer.status, answer.text]).toEqual([202, expect.anything()]);
    return answer.body as Accepted;
  }

  /** A re-extraction and its end. */
  async extract(sourceId: string, body: unknown, timeoutMs = 60_000): Promise<JobResponse> {
    const { jobId } = await this.begin(sourceId, body);
    return this.client.waitForEnd(jobId, { timeoutMs });
  }

  /** Results by path of their pages. */
  async made(jobId: string): Promise<Record<string, MadePage>> {
    const results = (await this.client.results(jobId)) as readonly MadePage[];
    return Object.fromEntries(results.map((result) => [new URL(result.url).pathname, result]));
  }

  /** The charges of a job, in the order in which its pages ended. */
  charges(jobId: string): Promise<readonly ChargedRow[]> {
    const text = `SELECT operation, credits, cost_micro_usd::int AS cost FROM credit_ledger
                  WHERE reference = $1 AND tenant_id = $2 ORDER BY credits, id`;
    return this.service.database.query<ChargedRow & Record<string, unknown>>(
      { name: 'booked_for_job', text },
      [jobId, this.tenantId],
    );
  }
}

export interface ChargedRow {
  readonly operation: string;
  readonly credits: number;
  readonly cost: number;
}

/** A result without what is another at each run. */
export function timeless({ metadata, cascade: _cascade, ...rest }: MadePage): object {
  const { latencyMs: _, ...said } = (metadata ?? {}) as Record<string, unknown>;
  return { ...rest, metadata: said };
}
