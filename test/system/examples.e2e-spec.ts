import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  SMALL_SITE_PATHS,
  SpawnedProcess,
  startFixtureSite,
  until,
  type Exit,
  type FixtureSite,
} from '@app/testing';
import type { Service } from './deployment.js';
import { share } from './shared-cluster.js';

const EXAMPLES = path.resolve(__dirname, '../../examples');

const BAKERY = {
  '@context': 'https://schema.org',
  '@type': 'Bakery',
  name: 'Corner Bakery',
  telephone: '+1 512-555-0147',
  address: { '@type': 'PostalAddress', streetAddress: '12 Main Street', addressLocality: 'Austin' },
};
const SHOP = `<!doctype html><title>Corner Bakery</title>
<script type="application/ld+json">${JSON.stringify(BAKERY)}</script>
<body><h1>Corner Bakery</h1><p>Bread and cake since 1987, every day from seven.</p>`;

const INTERPRETERS: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.py': 'python3',
  '.ts': process.execPath,
};

interface Ended extends Exit {
  readonly lines: readonly string[];
}

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: readonly unknown[];
}

describe('the programs of examples/', () => {
  let site: FixtureSite;
  let service: Service;

  beforeAll(async () => {
    // Its sitemap is empty: pages are found by links.
    site = await startFixtureSite({ treePages: 0 });
    site.serve({ '/bakery': SHOP });
    service = await share();
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  function start(file: string, args: readonly string[], env = {}): SpawnedProcess {
    return SpawnedProcess.spawn({
      name: file,
      command: INTERPRETERS[path.extname(file)] ?? file,
      args: [path.join(EXAMPLES, file), ...args],
      env: { TRAWL: service.url, KEY: service.key, ...env },
    });
  }

  async function run(file: string, ...args: readonly string[]): Promise<Ended> {
    const program = start(file, args);
    const exit = await program.exited;
    return { ...exit, lines: program.output };
  }

  /** Sends the webhook of a job once more and waits until it has been delivered. */
  async function redeliver(jobId: string): Promise<void> {
    const read = async (): Promise<Delivery | undefined> => {
      const { body } = await service.client.call('GET', `/v1/webhooks/deliveries?jobId=${jobId}`);
      return (body as { deliveries: readonly Delivery[] }).deliveries[0];
    };
    const id = (await read())?.id;
    await service.client.call('POST', `/v1/webhooks/deliveries/${id}/redeliver`);
    const isAgain = async (): Promise<boolean> => {
      const delivery = await read();
      return delivery?.state === 'delivered' && delivery.attempts.length === 2;
    };
    await until(isAgain, { what: 'the second delivery' });
  }

  it('are these, each run below', () => {
    expect(readdirSync(EXAMPLES).sort()).toEqual([
      'README.md',
      'answers.py',
      'crawl.sh',
      'extract.ts',
      'follow-job.py',
      'receive-webhooks.ts',
      'scrape.py',
      'sync.py',
    ]);
  });

  it('scrape.py prints the Markdown of a page', async () => {
    const { code, lines } = await run('scrape.py', site.url('/bakery'));
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain('Bread and cake since 1987');
  });

  it('scrape.py exits with the error of the service', async () => {
    const { code, lines } = await run('scrape.py', 'http://10.0.0.1/');
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/^http:\/\/10\.0\.0\.1\/: \S+/);
  });

  it('crawl.sh prints one page result per line', async () => {
    const { code, lines } = await run('crawl.sh', site.url('/'), '10');
    expect(code).toBe(0);
    const results = lines.filter((line) => line.startsWith('{')).map(urlOf);
    expect(results.sort()).toEqual(SMALL_SITE_PATHS.map((page) => site.url(page)).sort());
  });

  it('crawl.sh prints why a crawl was refused', async () => {
    const { code, lines } = await run('crawl.sh', site.url('/'), '0');
    expect(code).toBe(1);
    expect(lines.join('\n')).toContain('limit');
  });

  it('follow-job.py prints pages until the job has ended', async () => {
    const { jobId } = await service.client.crawl({ url: site.url('/') });
    const { code, lines } = await run('follow-job.py', jobId);
    expect(code).toBe(0);
    expect(lines.at(-1)).toBe('completed');
    expect(lines.slice(0, -1).sort()).toEqual(
      SMALL_SITE_PATHS.map((page) => `200 ${site.url(page)}`).sort(),
    );
  });

  it('answers.py prints the passages that have the words of a question', async () => {
    const { jobId } = await service.client.crawl({ url: site.url('/'), index: true });
    await service.client.waitForEnd(jobId);
    const { code, lines } = await run('answers.py', jobId, 'Where is the small site described?');
    expect(code).toBe(0);
    expect(lines[1]).toBe('Question: Where is the small site described?');
    expect(lines.join('\n')).toMatch(/\[1\] http:\/\/.*\n.*[Ss]mall site/);
    expect(await run('answers.py', jobId, 'Is it?')).toMatchObject({ code: 1 });
  });

  it('sync.py keeps passages of a site in step with it', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'trawl-sync-'));
    const file = path.join(folder, 'site.db');
    await service.client.call('PUT', '/v1/sites/small', { url: site.url('/') });
    const crawl = async () => {
      const { body } = await service.client.call('POST', '/v1/sites/small/crawl');
      await service.client.waitForEnd((body as { readonly jobId: string }).jobId);
    };
    await crawl();
    const first = await run('sync.py', 'small', file, 'Where is the small site described?');
    expect(first.lines[0]).toBe('6 pages put in, 0 taken out, 1 crawls');
    expect(first.lines.join('\n')).toMatch(/[Ss]mall site/);
    await crawl();
    const { lines, code } = await run('sync.py', 'small', file);
    expect([code, lines]).toEqual([0, ['0 pages put in, 0 taken out, 1 crawls']]);
    expect(await run('sync.py', 'nothing', file)).toMatchObject({ code: 1 });
    rmSync(folder, { recursive: true, force: true });
  });

  it('extract.ts prints the data of each page', async () => {
    const missing = site.url('/status/404');
    const { code, lines } = await run('extract.ts', site.url('/bakery'), missing);
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toEqual([
      { url: site.url('/bakery'), data: expect.objectContaining({ name: 'Corner Bakery' }) },
      { url: missing, error: 'Fetch failed: HTTP 404' },
    ]);
  });

  it('receive-webhooks.ts accepts webhooks that the service signed, once, and no others', async () => {
    const { body } = await service.client.call('POST', '/v1/webhooks/secret');
    const { secret } = body as { secret: string };
    const receiver = start('receive-webhooks.ts', [], { WEBHOOK_SECRET: secret, PORT: '0' });
    try {
      const listening = await receiver.waitForLine(/^listening/);
      const webhook = `http://127.0.0.1:${/port: (\d+)/.exec(listening)?.[1]}/hook`;
      const { jobId } = await service.client.crawl({ url: site.url('/'), webhook });
      await receiver.waitForLine(new RegExp(`^${jobId} completed: 6 pages$`));
      for (const timestamp of [String(Math.floor(Date.now() / 1_000)), '0', ''])
        expect(await forge(webhook, timestamp)).toBe(401);
      await redeliver(jobId);
      expect(receiver.output.filter((line) => line.includes(jobId))).toHaveLength(1);
    } finally {
      await receiver.kill9();
    }
  });
});

function urlOf(line: string): string {
  return (JSON.parse(line) as { url: string }).url;
}

/** The status that a webhook with a wrong signature gets. */
async function forge(url: string, timestamp: string): Promise<number> {
  const headers = {
    'webhook-id': 'x',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  };
  return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
}
