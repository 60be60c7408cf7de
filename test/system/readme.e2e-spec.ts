import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startFixtureSite, type FixtureSite } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';

const README = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8');

/** Shell blocks of the README that call the API. */
const EXAMPLES = [...README.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, block = '']) => block)
  .filter((block) => block.startsWith('curl '));

describe('the examples of the README', () => {
  let site: FixtureSite;
  let service: Deployment;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deploy('embedded');
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  }, 60_000);

  async function paste(block: string): Promise<Record<string, unknown>> {
    const command = block.replaceAll('https://example.com/', site.url('/'));
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      env: { PATH: process.env['PATH'] ?? '', TRAWL: service.url, KEY: service.key },
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it('are two: a scrape and a crawl', () => {
    expect(EXAMPLES.map((block) => /\/v1\/\w+/.exec(block)?.[0])).toEqual([
      '/v1/scrape',
      '/v1/crawl',
    ]);
  });

  it('scrape as shown', async () => {
    expect(await paste(EXAMPLES[0] ?? '')).toMatchObject({
      ok: true,
      markdown: expect.stringContaining('Small site'),
      formats: { links: expect.arrayContaining([site.url('/about')]) },
      metadata: { title: 'Small site /', fetchMethod: 'plain' },
      cascade: { level: 1 },
    });
  });

  it('crawl as shown', async () => {
    const { jobId } = (await paste(EXAMPLES[1] ?? '')) as { jobId: string };
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      status: 'completed',
      pages_scraped: 6,
    });
  });
});
