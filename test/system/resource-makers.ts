import { newId } from '@app/contracts';
import { writeObservations } from '@app/graph';
import { TrawlClient, until, type FixtureSite, type WebhookReceiver } from '@app/testing';
import type { Service } from './deployment.js';

/** Where resources are made. */
export interface MakersWorld {
  readonly service: Service;
  readonly site: FixtureSite;
  readonly receiver: WebhookReceiver;
}

/** A real resource: its id, what kind it is of, and whose. */
export interface MadeResource {
  readonly kind: string;
  readonly id: string;
  readonly owner: TrawlClient;
}

type Maker = (makers: ResourceMakers) => Promise<readonly MadeResource[]>;

const JOBS: Maker = (makers) => makers.jobs();
const DELIVERIES: Maker = (makers) => makers.deliveries();

/** By the path up to its parameter. A new route with a parameter needs its own here. */
const PATH_MAKERS: Readonly<Record<string, Maker>> = {
  '/v1/crawl/{id}': JOBS,
  '/v1/jobs/{id}': JOBS,
  '/v2/crawl/{id}': async (makers) =>
    (await makers.jobs()).filter(({ kind }) => kind.startsWith('crawl')),
  '/v2/batch/scrape/{id}': async (makers) =>
    (await makers.jobs()).filter(({ kind }) => kind === 'batch'),
  '/v1/pull/{id}': (makers) => makers.pulls(),
  '/v1/webhooks/deliveries/{id}': DELIVERIES,
  '/v1/keys/{id}': (makers) => makers.keys(),
  '/v1/data/deletions/{id}': (makers) => makers.deletions(),
  '/downloads/{token}': (makers) => makers.downloads(),
  '/v1/feeds/{id}': (makers) => makers.feeds(),
  '/v1/sites/{name}': (makers) => makers.sites(),
  '/v1/profiles/{name}': (makers) => makers.profiles(),
  '/feeds/{token}': (makers) => makers.feedFiles(),
  '/v1/graph/business/{idOrDomain}': (makers) => makers.businesses(),
};

/** Parameters of the query that take an id, by path and name. */
const QUERY_MAKERS: Readonly<Record<string, Maker>> = {
  '/v1/webhooks/deliveries jobId': JOBS,
  '/v1/webhooks/deliveries cursor': DELIVERIES,
};

/** Makes each kind of resource that an id of a request may name, once. */
export class ResourceMakers {
  private readonly made = new Map<string, Promise<readonly MadeResource[]>>();

  constructor(private readonly world: MakersWorld) {}

  /** Null: there is no maker for it. */
  forPath(path: string, parameter: string): Promise<readonly MadeResource[]> | null {
    const before = path.split(`/{${parameter}}`)[0] ?? '';
    const maker = PATH_MAKERS[`${before}/{${parameter}}`];
    return maker ? maker(this) : null;
  }

  forQuery(path: string, parameter: string): Promise<readonly MadeResource[]> | null {
    return QUERY_MAKERS[`${path} ${parameter}`]?.(this) ?? null;
  }

  jobs(): Promise<readonly MadeResource[]> {
    return this.once('jobs', async () => {
      const { service, site } = this.world;
      const { client } = service;
      const url = site.url('/');
      const ended = await this.endedCrawl();
      const running = await client.crawl({ url: site.url('/hang'), index: true });
      const cancelled = await client.crawl({ url: site.url('/hang'), index: true });
      await client.cancel(cancelled.jobId);
      const batch = await this.start('/v1/batch', { urls: [url], async: true, index: true });
      const extraction = await this.start(`/v1/crawl/${ended}/extract`, { formats: ['markdown'] });
      for (const id of [batch, extraction]) await client.waitForEnd(id);
      return [
        this.own('crawl that ended', ended),
        this.own('crawl that runs', running.jobId),
        this.own('crawl that was cancelled', cancelled.jobId),
        this.own('batch', batch),
        this.own('extraction', extraction),
      ];
    });
  }

  deliveries(): Promise<readonly MadeResource[]> {
    return this.once('deliveries', async () => {
      const { service, site, receiver } = this.world;
      const { client } = service;
      const { jobId } = await client.crawl({ url: site.url('/'), limit: 1, webhook: receiver.url });
      await client.waitForEnd(jobId);
      const listed = async (): Promise<readonly { id: string; state: string }[]> => {
        const { body } = await client.call('GET', `/v1/webhooks/deliveries?jobId=${jobId}`);
        return (body as { deliveries: { id: string; state: string }[] }).deliveries;
      };
      await until(async () => (await listed())[0]?.state === 'delivered', {
        what: 'a delivered webhook',
      });
      return (await listed()).map(({ id }) => this.own('delivery', id));
    });
  }

  /** A preview, and a pull that ended. */
  pulls(): Promise<readonly MadeResource[]> {
    return this.once('pulls', async () => {
      const { service, site } = this.world;
      const order = { connectorId: 'sitemap_urls', params: { url: site.url('/') } };
      const [preview, pulled] = [
        await this.start('/v1/preview', order),
        await this.start('/v1/preview', order),
      ];
      await service.client.call('POST', '/v1/pull', { jobId: pulled });
      return [this.own('preview', preview), this.own('pull', pulled)];
    });
  }

  /** One that is active, and one that is paused. */
  feeds(): Promise<readonly MadeResource[]> {
    return this.once('feeds', async () => {
      const [active, paused] = [await this.makeFeed(), await this.makeFeed()];
      await this.world.service.client.call('POST', `/v1/feeds/${paused.feedId}/pause`);
      return [this.own('feed', active.feedId), this.own('paused feed', paused.feedId)];
    });
  }

  /** Each time anew: one is deleted by the example of it. */
  async sites(): Promise<readonly MadeResource[]> {
    const { service, site } = this.world;
    const name = 'made-site';
    await service.client.call('PUT', `/v1/sites/${name}`, { url: site.url('/'), limit: 1 });
    return [this.own('site', name)];
  }

  async profiles(): Promise<readonly MadeResource[]> {
    const name = 'made-profile';
    const cookies = [{ name: 's', value: '1', domain: 'a.example' }];
    await this.world.service.client.call('PUT', `/v1/profiles/${name}`, { cookies });
    return [this.own('profile', name)];
  }

  feedFiles(): Promise<readonly MadeResource[]> {
    return this.once('feed files', async () => {
      const { addresses } = await this.makeFeed();
      return [this.own('feed file', addresses.rss.split('/').at(-1) ?? '')];
    });
  }

  private async makeFeed(): Promise<{ feedId: string; addresses: { rss: string } }> {
    const { service, site } = this.world;
    const order = { connectorId: 'sitemap_urls', params: { url: site.url('/') } };
    const body = { ...order, schedule: '0 0 1 1 *' };
    const answer = await service.client.call('POST', '/v1/feeds', body);
    return answer.body as { feedId: string; addresses: { rss: string } };
  }

  keys(): Promise<readonly MadeResource[]> {
    return this.once('keys', async () => {
      const [used, revoked] = [await this.makeKey(), await this.makeKey()];
      await this.world.service.client.call('DELETE', `/v1/keys/${revoked}`);
      return [this.own('key in use', used), this.own('key that was revoked', revoked)];
    });
  }

  private async makeKey(): Promise<string> {
    const { client } = this.world.service;
    const { body } = await client.call('POST', '/v1/keys', { label: 'made' });
    return (body as { id: string }).id;
  }

  /** Of a tenant that has nothing else, since it deletes everything. */
  deletions(): Promise<readonly MadeResource[]> {
    return this.once('deletions', async () => {
      const owner = await this.world.service.otherTenant();
      const { body } = await owner.call('DELETE', '/v1/data');
      return [{ kind: 'deletion', id: (body as { deletionId: string }).deletionId, owner }];
    });
  }

  downloads(): Promise<readonly MadeResource[]> {
    return this.once('downloads', async () => {
      const job = await this.world.service.client.job(await this.endedCrawl());
      return [this.own('download', (job.result_url ?? '').split('/').at(-1) ?? '')];
    });
  }

  /** Shared by all tenants. */
  businesses(): Promise<readonly MadeResource[]> {
    return this.once('businesses', async () => {
      const fact = { field: 'domain', value: 'made.example', confidence: 1, url: null } as const;
      const source = 'import:made' as const;
      const observation = { source, seenAt: new Date(), site: null, facts: [fact] };
      await writeObservations(this.world.service.database, [observation], { tenantId: null });
      return [this.own('business', 'made.example')];
    });
  }

  /** Nothing of it works on, now or at a later hour. */
  async end(): Promise<void> {
    const { client } = this.world.service;
    const { jobs } = (await client.jobs()) as { jobs: { id: string; status: string }[] };
    for (const { id, status } of jobs)
      if (!['completed', 'failed', 'cancelled'].includes(status)) await client.cancel(id);
    const { body } = await client.call('GET', '/v1/feeds');
    for (const { feedId } of (body as { feeds: { feedId: string }[] }).feeds)
      await client.call('DELETE', `/v1/feeds/${feedId}`);
  }

  private async endedCrawl(): Promise<string> {
    const [made] = await this.once('ended crawl', async () => {
      const { client } = this.world.service;
      const { jobId } = await client.crawl({ url: this.world.site.url('/'), index: true });
      await client.waitForEnd(jobId);
      return [this.own('crawl that ended', jobId)];
    });
    return made?.id ?? '';
  }

  private async start(path: string, body: object): Promise<string> {
    const { body: accepted } = await this.world.service.client.call('POST', path, body);
    return (accepted as { jobId: string }).jobId;
  }

  private own(kind: string, id: string): MadeResource {
    return { kind, id, owner: this.world.service.client };
  }

  private once(
    name: string,
    make: () => Promise<readonly MadeResource[]>,
  ): Promise<readonly MadeResource[]> {
    const made = this.made.get(name) ?? make();
    this.made.set(name, made);
    return made;
  }
}

/** Ids that name nothing: one of our form, and one of no form. */
export const unknownIds = (): readonly string[] => [newId(), 'no-such-id'];
