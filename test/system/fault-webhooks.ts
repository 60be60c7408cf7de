import { until, readSignedWebhook, type ReceivedWebhook, type WebhookReceiver } from '@app/testing';
import type { Deployment } from './deployment.js';

interface DeliveryView {
  readonly id: string;
  readonly state: string;
}

interface NotifyTerms {
  /** Webhooks that may have come twice: one for each process that was killed. */
  readonly repeats: number;
  /** For each of them. */
  readonly timeoutMs: number;
}

/** The webhooks of one run, as a receiver reads them. */
export class FaultWebhooks {
  private readonly told: ReceivedWebhook[] = [];
  private seen: number;

  private constructor(
    private readonly service: Deployment,
    private readonly hook: WebhookReceiver,
    private readonly secret: string,
  ) {
    this.seen = hook.received.length;
  }

  static async open(service: Deployment, hook: WebhookReceiver): Promise<FaultWebhooks> {
    const { status, body } = await service.client.call('POST', '/v1/webhooks/secret');
    expect(status).toBe(201);
    return new FaultWebhooks(service, hook, (body as { secret: string }).secret);
  }

  /** Verifies what came since the last look: to be called often, since a signature holds for five minutes. */
  read(): void {
    for (const webhook of this.hook.received.slice(this.seen)) {
      expect(readSignedWebhook(webhook, this.secret)).toMatchObject({ status: 'completed' });
      this.told.push(webhook);
      this.seen++;
    }
  }

  /** Each job has one event, delivered at least once, under one id of its own. */
  async expectEachNotified(jobIds: readonly string[], terms: NotifyTerms): Promise<void> {
    const ids = new Set<string>();
    for (const jobId of jobIds) ids.add(await this.expectNotified(jobId, terms.timeoutMs));
    expect(ids.size).toBe(jobIds.length);
    this.read();
    expect(this.told.length).toBeGreaterThanOrEqual(jobIds.length);
    expect(this.told.length).toBeLessThanOrEqual(jobIds.length + terms.repeats);
  }

  private async expectNotified(jobId: string, timeoutMs: number): Promise<string> {
    const delivery = await until(() => this.delivered(jobId), {
      what: `the webhook of ${jobId}`,
      timeoutMs,
      intervalMs: 100,
    });
    this.read();
    const job = await this.service.client.job(jobId);
    const own = this.told
      .map(({ headers, body }) => ({ id: headers['webhook-id'], ...bodyOf(body) }))
      .filter((event) => event.jobId === jobId);
    expect(own.length).toBeGreaterThan(0);
    for (const event of own)
      expect(event).toMatchObject({
        id: delivery.id,
        status: job.status,
        url: job.url,
        pages_scraped: job.pages_scraped,
        completed_at: job.completed_at,
      });
    return delivery.id;
  }

  /** The one delivery of the job when it has arrived; null before. */
  private async delivered(jobId: string): Promise<DeliveryView | null> {
    const answer = await this.service.client.call('GET', `/v1/webhooks/deliveries?jobId=${jobId}`);
    const { deliveries } = answer.body as { deliveries: readonly DeliveryView[] };
    expect(deliveries).toHaveLength(1);
    return deliveries[0]?.state === 'delivered' ? deliveries[0] : null;
  }
}

function bodyOf(body: string): { readonly jobId: string } {
  return JSON.parse(body) as { jobId: string };
}
