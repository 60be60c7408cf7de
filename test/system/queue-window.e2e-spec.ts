import { openTaskQueue, type TaskQueue } from '@app/broker';
import { PLAN_LIMITS, type Plan } from '@app/contracts';
import { createApiKey, createTenant } from '@app/store';
import { startFixtureSite, TrawlClient, type FixtureSite } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';

const PAGES = 500;
const QUEUE_TARGET = 24;
/** So few at once that messages have to wait. */
const AT_ONCE = 2;

describe('the queue of crawl pages (cluster)', () => {
  let service: Deployment;
  let site: FixtureSite;
  let queue: TaskQueue;
  beforeAll(async () => {
    service = await deploy('cluster', {
      env: {
        CRAWL_QUEUE_TARGET: String(QUEUE_TARGET),
        CRAWL_CONCURRENCY: String(AT_ONCE),
        // The host's window is not what keeps messages back here.
        HOST_WINDOW_START: '100',
        HOST_WINDOW_MAX: '100',
      },
    });
    site = await startFixtureSite({ treePages: PAGES });
    const { BROKER_URL = '', BROKER_PREFIX = '' } = service.env;
    queue = openTaskQueue({ url: BROKER_URL, prefix: BROKER_PREFIX });
  }, 120_000);
  afterAll(async () => {
    await queue?.close();
    await site?.close();
    await service?.stop();
  }, 60_000);

  async function clientOn(plan: Plan): Promise<TrawlClient> {
    const tenant = await createTenant(service.store, `on ${plan}`, plan);
    return new TrawlClient(service.url, await createApiKey(service.store, tenant.id, plan));
  }

  /** Crawls and gives the most messages that waited at a time. */
  async function mostWaiting(client: TrawlClient, limit: number): Promise<number> {
    const url = site.url('/tree/0');
    const { jobId } = await client.crawl({ url, limit, allowBackwardLinks: true });
    let most = 0;
    for (;;) {
      most = Math.max(most, await queue.depth('crawl'));
      const { status, pages_scraped } = await client.job(jobId);
      if (status !== 'queued' && status !== 'running') {
        expect(pages_scraped).toBe(limit);
        return most;
      }
    }
  }

  it('never holds more messages than its target, however many pages wait', async () => {
    const most = await mostWaiting(await clientOn('custom'), PAGES);
    expect(most).toBeGreaterThan(AT_ONCE);
    expect(most).toBeLessThanOrEqual(QUEUE_TARGET);
  }, 120_000);

  it("never holds more messages than the tenant's plan has slots", async () => {
    const slots = PLAN_LIMITS.hobby.crawlConcurrency;
    const most = await mostWaiting(await clientOn('hobby'), PAGES / 5);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(slots);
  }, 120_000);
});
