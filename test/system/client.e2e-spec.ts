import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Trawl, verifyWebhook, type CrawledPage, type JobUpdate } from '@app/client';
import {
  pdfOf,
  projectRoot,
  SMALL_SITE_PATHS,
  startFixtureSite,
  startWebhookReceiver,
  until,
  type FixtureSite,
} from '@app/testing';
import { UserShell, machineNode } from './cli-run.js';
import type { Service } from './deployment.js';
import { HeldPages } from './held-pages.js';
import { share } from './shared-cluster.js';

/** Programs of docs/client.md. */
const EXAMPLES = [
  ...readFileSync(path.join(projectRoot(), 'docs/client.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g), // prettier-ignore
].map(([, block = '']) => block);

/** Runs on every supported Node: types are stripped only by newer ones. */
const PROGRAM = `
import { Trawl, TrawlError } from '@trawl/client';
const trawl = new Trawl({ baseUrl: process.env.TRAWL_URL, apiKey: process.env.TRAWL_API_KEY });
const site = process.env.SITE;
const crawl = await trawl.crawl(site, { limit: 4 });
const urls = [];
for await (const { url } of crawl) urls.push(url);
const parsed = await trawl.parse(new TextEncoder().encode(process.env.PDF));
const refused = await trawl.scrape('http://10.0.0.1/').catch((error) => error);
console.log(JSON.stringify({
  pages: urls.length,
  text: parsed.text.trim(),
  code: refused instanceof TrawlError && refused.code,
}));
`;

describe('the client', () => {
  let site: FixtureSite;
  let service: Service;
  let folder: UserShell;
  let trawl: Trawl;

  beforeAll(async () => {
    // Its sitemap is empty: pages are found by links.
    site = await startFixtureSite({ treePages: 0, slowMs: 300 });
    service = await share();
    trawl = new Trawl({ baseUrl: service.url, apiKey: service.key });
    folder = await UserShell.prepare({ TRAWL_URL: service.url, TRAWL_API_KEY: service.key });
  });
  afterAll(async () => {
    await folder?.remove();
    await service?.stop();
    await site?.close();
  });

  const collect = async (pages: AsyncIterable<CrawledPage>): Promise<string[]> => {
    const urls: string[] = [];
    for await (const { url } of pages) urls.push(url);
    return urls;
  };

  /** A stream that breaks within the event after so many, however it is cut into pieces. */
  function brokenAfter(events: number, stream: ReadableStream<Uint8Array>) {
    const reader = stream.getReader();
    let left = events;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (left < 0) {
            void reader.cancel();
            return controller.error(new TypeError('terminated'));
          }
          const { done, value } = await reader.read();
          if (done) return controller.close();
          let end = 0;
          for (; left > 0; left--) {
            const at = Buffer.from(value).indexOf('\n\n', end);
            if (at < 0) return controller.enqueue(value);
            end = at + 2;
          }
          if (end < value.length) left = -1;
          controller.enqueue(value.subarray(0, end + 40));
        },
        cancel: (reason) => reader.cancel(reason),
      },
      // Nothing is read before it is wanted: an error would drop what waits.
      { highWaterMark: 0 },
    );
  }

  /** The client with a network that breaks every stream after so many events. */
  function breaking(events: number): { client: Trawl; connections: () => number } {
    let connections = 0;
    const client = new Trawl({
      ...{ baseUrl: service.url, apiKey: service.key, retryDelayMs: 1 },
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (!url.includes('/events') || !response.body) return response;
        connections++;
        return new Response(brokenAfter(events, response.body), response);
      },
    });
    return { client, connections: () => connections };
  }

  it.each([...new Set([process.execPath, machineNode()])])('works under %s', async (node) => {
    writeFileSync(path.join(folder.folder, 'program.mjs'), PROGRAM);
    const pdf = Buffer.from(pdfOf(['Annual report'])).toString('latin1');
    const { code, out, err } = await folder.run([node, 'program.mjs'], { SITE: site.url('/'), PDF: pdf }); // prettier-ignore
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual({ pages: 4, text: 'Annual report', code: 'blocked_url' });
  });

  it('yields every page of a running crawl once over connections that break', async () => {
    const { client, connections } = breaking(4);
    const options = { limit: 12, allowBackwardLinks: true };
    const crawl = await client.crawl(site.url('/slow-site/0'), options);
    const positions: number[] = [];
    const urls: string[] = [];
    for await (const update of crawl.updates())
      if (update.type === 'page') {
        positions.push(update.position);
        urls.push(update.page.url);
      }
    expect(positions).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    expect(urls).toEqual((await service.client.results(crawl.id)).map(({ url }) => url));
    expect(connections()).toBeGreaterThan(2);
    // Another program continues where the first one was.
    const rest: JobUpdate[] = [];
    for await (const update of trawl.job(crawl.id).updates({ after: 10 })) rest.push(update);
    expect(rest.filter(({ type }) => type === 'page')).toHaveLength(2);
    expect(rest.at(-1)).toMatchObject({ type: 'status', job: { status: 'completed' } });
  });

  it('starts a crawl once, however often its response is lost', async () => {
    let lost = 2;
    const client = new Trawl({
      ...{ baseUrl: service.url, apiKey: service.key, retryDelayMs: 1 },
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        await response.clone().arrayBuffer();
        if (lost-- > 0) throw new TypeError('the response is lost');
        return response;
      },
    });
    const before = (await trawl.jobs()).length;
    const crawl = await client.crawl(site.url('/'));
    expect((await trawl.jobs()).slice(0, -before || undefined).map(({ id }) => id)).toEqual([
      crawl.id,
    ]);
    expect(await crawl.wait()).toMatchObject({ status: 'completed', pages_scraped: 6 });
  });

  it('cancels a crawl, whose iteration then ends', async () => {
    const held = new HeldPages(site, 30, 3);
    const crawl = await trawl.crawl(held.url, { limit: 30 });
    let count = 0;
    for await (const _ of crawl) if (++count === 1) await crawl.cancel();
    held.release();
    expect(count).toBeLessThan(30);
    expect(await crawl.status()).toMatchObject({ status: 'cancelled' });
    const states = new Set<string>();
    for await (const { state } of crawl.urls()) states.add(state);
    expect(states.has('cancelled')).toBe(true);
  });

  it('has the results of batches and of extractions from stored pages', async () => {
    const urls = [site.url('/'), site.url('/about'), site.url('/status/404')];
    expect((await trawl.batch(urls)).summary).toEqual({ total: 3, ok: 2, failed: 1 });
    const batch = await trawl.startBatch(urls.slice(0, 2), { formats: ['rawHtml'] });
    expect((await collect(batch)).sort()).toEqual(urls.slice(0, 2).sort());
    const extraction = await batch.extract({ formats: ['links'] });
    const pages: CrawledPage[] = [];
    for await (const page of extraction) pages.push(page);
    expect(pages).toHaveLength(2);
    expect(pages.every(({ links }) => links !== undefined)).toBe(true);
  });

  it('answers each kind of call with its type', async () => {
    expect((await trawl.map(site.url('/'))).links).toHaveLength(SMALL_SITE_PATHS.length);
    expect(await trawl.extract({ url: site.url('/') })).toMatchObject({ url: site.url('/') });
    expect(await trawl.enrich(site.url('/'))).toMatchObject({ domain: '127.0.0.1' });
    expect(await trawl.brand(site.url('/'))).toMatchObject({ domain: '127.0.0.1' });
    expect(await trawl.usage()).toMatchObject({ plan: 'enterprise' });
    const imageUrl = expect.stringMatching(/^http/);
    expect(await trawl.screenshot(site.url('/'))).toMatchObject({ format: 'png', imageUrl });
  });

  it('accepts the webhook of a job', async () => {
    const receiver = await startWebhookReceiver();
    try {
      const { body } = await service.client.call('POST', '/v1/webhooks/secret');
      const { secret } = body as { secret: string };
      const crawl = await trawl.crawl(site.url('/'), { webhook: receiver.url });
      await until(() => receiver.received.length > 0, { what: 'the webhook' });
      const [webhook = { body: '', headers: {} }] = receiver.received;
      expect(await verifyWebhook(webhook.body, webhook.headers, secret)).toMatchObject({
        ...{ jobId: crawl.id, status: 'completed', pages_scraped: 6 },
      });
    } finally {
      await receiver.close();
    }
  });

  describe('in the programs of docs/client.md', () => {
    const prepare = (at: number, jobId = ''): string[] => {
      const program = (EXAMPLES[at] ?? '')
        .replaceAll('http://127.0.0.1:3000', service.url)
        .replaceAll('https://example.com/', site.url('/'))
        .replaceAll('YOUR_KEY', service.key)
        .replaceAll('JOB_ID', jobId);
      writeFileSync(path.join(folder.folder, `example-${at}.ts`), program);
      return [process.execPath, `example-${at}.ts`];
    };
    const printed = async (at: number, jobId?: string): Promise<string> => {
      const { code, out, err } = await folder.run(prepare(at, jobId));
      expect([code, err]).toEqual([0, '']);
      return out;
    };

    it('is used as below', () => {
      expect(EXAMPLES).toHaveLength(6);
    });

    it('prints a page', async () => {
      expect(await printed(0)).toContain('Small site');
    });

    it('prints a crawl, and continues to read it', async () => {
      const lines = (await printed(1)).trim().split('\n');
      expect(lines).toContain('completed 6 pages');
      expect(lines.filter((line) => / \d+$/.test(line))).toHaveLength(6);
      const [, jobId] = (lines[0] ?? '').split(' ');
      const rest = (await printed(2, jobId)).trim().split('\n');
      expect(rest.map((line) => line.split(' ')[0])).toEqual(['3', '4', '5', '6', 'completed']);
    });

    it('pulls the rows of a preview', async () => {
      const lines = (await printed(3)).trim().split('\n');
      expect(lines.filter((line) => line.startsWith(site.url('/')))).toHaveLength(
        SMALL_SITE_PATHS.length,
      );
    });

    it('prints an error', async () => {
      expect(await printed(4)).toMatch(/^400 blocked_url false\nBlocked URL: .* [0-9a-f-]{36}\n$/);
    });

    it('receives a webhook, and refuses others', async () => {
      const { body } = await service.client.call('POST', '/v1/webhooks/secret');
      const { secret } = body as { secret: string };
      const receiver = folder.start(prepare(5), { WEBHOOK_SECRET: secret, PORT: '0' });
      try {
        const port = (): string | undefined => /port: (\d+)/.exec(receiver.out())?.[1];
        await until(() => port() !== undefined, { what: 'the receiver' });
        const webhook = `http://127.0.0.1:${port()}/hook`;
        expect((await fetch(webhook, { method: 'POST', body: '{}' })).status).toBe(401);
        const { id } = await trawl.crawl(site.url('/'), { webhook });
        const isThere = (): boolean => receiver.out().includes(`${id} completed 6`);
        await until(isThere, { what: 'the webhook' });
      } finally {
        receiver.child.kill('SIGKILL');
        await receiver.ended;
      }
    });
  });
});
