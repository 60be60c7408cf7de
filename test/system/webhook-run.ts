import {
  adHocStatement,
  startFixtureSite,
  startWebhookReceiver,
  until,
  type FixtureSite,
  type ReceivedWebhook,
  type TrawlClient,
  type WebhookReceiver,
} from '@app/testing';
import type { Service } from './deployment.js';
import type { HeldPages } from './held-pages.js';

/** A delivery on the wire, as far as tests examine it. */
export interface WebhookDelivery {
  readonly id: string;
  readonly jobId: string;
  readonly event: string;
  readonly state: string;
  readonly attempt_count: number;
  readonly last_error: string | null;
  readonly attempts: readonly {
    readonly no: number;
    readonly status: number | null;
    readonly error: string | null;
  }[];
}

/** Of one that waits for its retry: none under way is sent twice. Locks the receiver first, as the service does. */
const MAKE_DUE = adHocStatement(`
  WITH due AS (
    UPDATE webhook_receivers r SET next_at = now() FROM webhook_deliveries d
    WHERE d.job_id = $1 AND d.state = 'pending' AND d.next_at > now() AND r.tenant_id = d.tenant_id AND r.receiver = d.receiver
    RETURNING d.id
  )
  UPDATE webhook_deliveries d SET next_at = now() FROM due WHERE d.id = due.id`);

/** A service, a site to crawl, and a receiver of the crawls' webhooks. */
export class WebhookRun<S extends Service = Service> {
  /** Of the test that runs. */
  receiver: WebhookReceiver;
  private readonly receivers: WebhookReceiver[] = [];

  private constructor(
    readonly service: S,
    readonly site: FixtureSite,
  ) {}

  static async start<S extends Service>(open: () => Promise<S>): Promise<WebhookRun<S>> {
    const site = await startFixtureSite({ treePages: 1_000 });
    try {
      return new WebhookRun(await open(), site);
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.site.close();
  }

  /** Before each test: a receiver that takes everything. */
  async renewReceiver(): Promise<void> {
    this.receiver = await this.another();
  }

  /** After each test. */
  async closeReceivers(): Promise<void> {
    await Promise.all(this.receivers.splice(0).map((one) => one.close()));
  }

  async another(host?: string): Promise<WebhookReceiver> {
    const receiver = await startWebhookReceiver(host === undefined ? {} : { host });
    this.receivers.push(receiver);
    return receiver;
  }

  /** Starts a crawl of the tree; returns its job id. */
  async crawl(
    webhook = this.receiver.url,
    limit = 2,
    client: TrawlClient = this.service.client,
  ): Promise<string> {
    const body = { url: this.site.url('/tree/0'), limit, allowBackwardLinks: true, webhook };
    return (await client.crawl(body)).jobId;
  }

  /** Starts a crawl that is under way until its pages are released; returns its job id. */
  async crawlHeld(held: HeldPages, limit: number): Promise<string> {
    const body = { url: held.url, limit, webhook: this.receiver.url };
    return (await this.service.client.crawl(body)).jobId;
  }

  async deliveriesOf(
    jobId: string,
    client: TrawlClient = this.service.client,
  ): Promise<readonly WebhookDelivery[]> {
    const answer = await client.call('GET', `/v1/webhooks/deliveries?jobId=${jobId}`);
    expect(answer.status).toBe(200);
    return (answer.body as { deliveries: readonly WebhookDelivery[] }).deliveries;
  }

  /** The one delivery of the job, once it is in this state. */
  inState(jobId: string, state: string, timeoutMs = 60_000): Promise<WebhookDelivery> {
    return until(
      async () => {
        const deliveries = await this.deliveriesOf(jobId);
        expect(deliveries).toHaveLength(1);
        return deliveries[0]?.state === state ? deliveries[0] : null;
      },
      { what: `the webhook of ${jobId} to be ${state}`, timeoutMs, intervalMs: 100 },
    );
  }

  /** The one delivery of the job, once it is delivered; its retries do not wait for their time. */
  async deliveredNow(jobId: string): Promise<WebhookDelivery> {
    const look = async (): Promise<WebhookDelivery | null> => {
      const [delivery] = await this.deliveriesOf(jobId);
      if (delivery?.state === 'delivered') return delivery;
      await this.service.database.query(MAKE_DUE, [jobId]);
      return null;
    };
    return until(look, { what: `the webhook of ${jobId}`, timeoutMs: 60_000, intervalMs: 200 });
  }

  sentFor(jobId: string): readonly ReceivedWebhook[] {
    return this.receiver.received.filter(
      ({ body }) => (JSON.parse(body) as { jobId: string }).jobId === jobId,
    );
  }
}

export function idsOf(webhooks: readonly ReceivedWebhook[]): Set<string | undefined> {
  return new Set(webhooks.map(({ headers }) => headers['webhook-id']));
}
