import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseOutboundProxies } from '@app/egress';
import { parseHttpProvider } from '@app/fetch';
import { pdfOf, startFixtureSite, type FixtureSite } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';

const README = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8');

/** Shell blocks of the README that call the API. */
const EXAMPLES = [...README.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, block = '']) => block)
  .filter((block) => block.startsWith('curl '));

describe('the examples of the README', () => {
  let site: FixtureSite;
  let service: Deployment;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'readme-'));
    site = await startFixtureSite();
    service = await deploy('embedded');
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await site?.close();
    await rm(folder, { recursive: true });
  }, 60_000);

  async function paste(block: string): Promise<Record<string, unknown>> {
    const command = block.replaceAll('https://example.com/', site.url('/'));
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      env: { PATH: process.env['PATH'] ?? '', TRAWL: service.url, KEY: service.key },
      cwd: folder,
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it('are six', () => {
    expect(EXAMPLES.map((block) => /\/v1\/\w+/.exec(block)?.[0])).toEqual([
      '/v1/scrape',
      '/v1/scrape',
      '/v1/extract',
      '/v1/parse',
      '/v1/screenshot',
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

  it('fail at an action as shown', async () => {
    expect(await paste(EXAMPLES[1] ?? '')).toMatchObject({
      ok: false,
      error: expect.stringContaining('actions[0] (click) failed'),
      action: { index: 0, type: 'click' },
    });
  }, 30_000);

  it('extract data as shown', async () => {
    expect(await paste(EXAMPLES[2] ?? '')).toMatchObject({
      url: null,
      data: {
        name: 'Corner Bakery',
        phone: expect.stringContaining('555-0147'),
        _extraction_method: 'microdata',
        _provenance: { name: { layer: 'microdata' } },
      },
    });
  });

  it('read a document as shown', async () => {
    await writeFile(path.join(folder, 'report.pdf'), pdfOf(['Annual report of the harbour']));
    expect(await paste(EXAMPLES[3] ?? '')).toMatchObject({
      ok: true,
      format: 'pdf',
      pages: 1,
      chunks: [{ text: expect.stringContaining('Annual report'), index: 0 }],
    });
  });

  it('take a picture as shown', async () => {
    expect(await paste(EXAMPLES[4] ?? '')).toMatchObject({
      width: 800,
      format: 'png',
      base64: expect.stringMatching(/^iVBOR/),
    });
  }, 30_000);

  it('describe a paid provider as the service reads it', () => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(README) ?? [];
    expect(parseHttpProvider(json)).toMatchObject({ name: 'example', priceMicroUsd: 1_500 });
  });

  it('name proxies as the service reads them', () => {
    const [, text = ''] = /`OUTBOUND_PROXIES=(\S+)`/.exec(README) ?? [];
    expect(parseOutboundProxies(text)).toHaveLength(2);
  });

  it('crawl as shown', async () => {
    const { jobId } = (await paste(EXAMPLES[5] ?? '')) as { jobId: string };
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      status: 'completed',
      pages_scraped: 6,
    });
  });
});
