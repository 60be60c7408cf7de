import { openTaskQueue, type TaskQueue } from '@app/broker';
import { startFixtureSite, TrawlClient, type FixtureSite } from '@app/testing';
import { createCaller, deploy, type Deployment } from './deployment.js';

const PAGES = 60;
/** Long enough that a waiting message is still there when the spec reads the queue. */
const PAGE_MS = 200;
/** Less than would wait by itself beside two pages that are worked on. */
const QUEUE_TARGET = 1;
const AT_ONCE = 2;

describe('the queue of crawl pages (cluster)', () => {
  let service: Deployment;
  let site: FixtureSite;
  let queue: TaskQueue;
  beforeAll(async () => {
    service = await deploy('cluster', {
      env: {
        BROWSER_MAX: '0',
        CRAWL_QUEUE_TARGET: String(QUEUE_TARGET),
        CRAWL_CONCURRENCY: String(AT_ONCE),
        // The host's window is not what keeps messages back here.
        HOST_WINDOW_START: '100',
        HOST_WINDOW_MAX: '100',
      },
    });
    site = await startFixtureSite({ treePages: PAGES, latencyMs: { '/': 0, '/tree/': PAGE_MS } });
    const { BROKER_URL = '', BROKER_PREFIX = '' } = service.env;
    queue = openTaskQueue({ url: BROKER_URL, prefix: BROKER_PREFIX });
  });
  afterAll(async () => {
    await queue?.close();
    await site?.close();
    await service?.stop();
  });

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
    const { key } = await createCaller(service.database, 'unlimited', 'custom');
    const most = await mostWaiting(new TrawlClient(service.url, key), PAGES);
    expect(most).toBe(QUEUE_TARGET);
  });
});
