import { readdirSync, readFileSync } from 'node:fs';
import { startFixtureSite, treeMarker, type FixtureSite, type SpawnedApp } from '@app/testing';
import { deploy, MODES, type Deployment } from './deployment.js';

/** `npm run test:soak`: crawls one after another; the last must not be slower or larger than the first ones. */
const CRAWLS = 10;
const PAGES = 1_000;
/** Pools, caches and compiled code fill up during the first crawls. */
const WARM_UP = 3;
const MAX_GROWTH = 1.25;

describe.each(MODES)('ten thousand pages, %s', (mode) => {
  let site: FixtureSite;
  let service: Deployment;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: PAGES });
    service = await deploy(mode, { env: { HOST_WINDOW_START: '16' } });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  it('keeps memory, handles and time per crawl flat', async () => {
    const samples: { residentMiB: number; files: number; seconds: number }[] = [];
    for (let crawl = 0; crawl < CRAWLS; crawl++) {
      site.reset();
      const startedAt = performance.now();
      const { jobId } = await service.client.crawl({
        url: site.url('/tree/0'),
        limit: PAGES,
        allowBackwardLinks: true,
      });
      const job = await service.client.waitForEnd(jobId, { timeoutMs: 120_000 });
      expect(job).toMatchObject({ status: 'completed', pages_scraped: PAGES });
      samples.push({ ...measure(service.apps), seconds: (performance.now() - startedAt) / 1_000 });
      const [first] = await service.client.results(jobId, 1).then((pages) => pages.slice(0, 1));
      expect(first?.markdown).toContain(treeMarker(0));
    }
    process.stderr.write(
      `${mode}: ${JSON.stringify(samples.map((s) => ({ ...s, seconds: Math.round(s.seconds) })))}\n`,
    );
    const warm = samples.slice(WARM_UP);
    const median = (values: readonly number[]) =>
      values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    const early = warm.slice(0, 3);
    const late = warm.slice(-3);
    expect(median(late.map((s) => s.residentMiB))).toBeLessThan(
      median(early.map((s) => s.residentMiB)) * MAX_GROWTH,
    );
    expect(median(late.map((s) => s.files))).toBeLessThan(median(early.map((s) => s.files)) + 20);
  }, 1_200_000);
});

/** Resident memory and open files of Trawl's processes, without those of database, broker and storage. */
function measure(apps: readonly SpawnedApp[]): { residentMiB: number; files: number } {
  let residentMiB = 0;
  let files = 0;
  for (const { process: spawned } of apps) {
    const status = readFileSync(`/proc/${spawned.pid}/status`, 'utf8');
    residentMiB += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
    files += readdirSync(`/proc/${spawned.pid}/fd`).length;
  }
  return { residentMiB: Math.round(residentMiB), files };
}
