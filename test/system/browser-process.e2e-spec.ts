import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readProcFile } from '@app/processes';
import { descendantsOf, startFixtureSite } from '@app/testing';
import { browserProcessesOf, browsersOf } from './browser-census.js';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

const LOWER = 4;

/** Empty once the process is gone. */
function uidsOf(pid: number): readonly string[] {
  const line = /^Uid:\t(.*)$/m.exec(readProcFile(`/proc/${pid}/status`) ?? '')?.[1] ?? '';
  return line.split(/\s+/);
}

/** Of each thread of a process, the first one first. */
function nicenessOf(pid: number): readonly number[] {
  const stats = readdirSync(`/proc/${pid}/task`).map((tid) =>
    readFileSync(`/proc/${pid}/task/${tid}/stat`, 'utf8'),
  );
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

/** Null where the kernel has no autogroups. */
function sessionNicenessOf(pid: number): number | null {
  const file = `/proc/${pid}/autogroup`;
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  return Number(/nice (-?\d+)/.exec(text)?.[1]);
}

describe.each(MODES)('the process that browsers are controlled from, %s', (mode) => {
  let service: Service;

  beforeAll(async () => {
    service = await share(mode);
    const site = await startFixtureSite();
    const { status } = await service.client.scrape({ url: site.url('/'), forceHeadless: true });
    expect(status).toBe(200);
    await site.close();
  }, 120_000);
  afterAll(() => service?.stop(), 60_000);

  const servicePid = (): number =>
    (service.apps.find(({ app }) => app === 'fetcher') ?? service.apps[0])?.process.pid ?? 0;

  it('has a lower priority than the service, as have its browsers and the threads that convert pages', async () => {
    const [own = 0, ...others] = nicenessOf(servicePid());
    expect(others).toContain(Math.max(own, LOWER));
    for (const pid of browserProcessesOf(servicePid()))
      expect(new Set(nicenessOf(pid))).toEqual(new Set([Math.max(own, LOWER)]));
    const browsers = browsersOf(servicePid());
    expect(browsers).not.toEqual([]);
    for (const pid of browsers) {
      expect(Math.min(...nicenessOf(pid))).toBeGreaterThanOrEqual(Math.max(own, LOWER));
      expect([null, Math.max(own, LOWER)]).toContain(sessionNicenessOf(pid));
    }
  }, 60_000);

  it('never runs as root, nor does anything it starts', async () => {
    const [browserProcess = 0] = browserProcessesOf(servicePid());
    const pids = [browserProcess, ...descendantsOf(browserProcess).map(({ pid }) => pid)];
    expect(pids.length).toBeGreaterThan(2);
    for (const pid of pids) expect(uidsOf(pid)).not.toContain('0');
  }, 60_000);
});
