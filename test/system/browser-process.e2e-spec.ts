import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readProcFile } from '@app/processes';
import {
  articleHtml,
  descendantsOf,
  startFixtureSite,
  until,
  type Answer,
  type FixtureSite,
} from '@app/testing';
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
  const stats = readdirSync(`/proc/${pid}/task`).flatMap(
    // A thread may have ended since.
    (tid) => readProcFile(`/proc/${pid}/task/${tid}/stat`) ?? [],
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

/** Ends when its request is answered. */
const OPEN_PAGE = `<!doctype html><title>Open</title>${articleHtml('an open page')}
  <script>fetch('/end').then(() => document.body.insertAdjacentHTML('beforeend', '<p id="over">over</p>'))</script>`;

describe.each(MODES)('the process that browsers are controlled from, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;
  let visit: Promise<Answer>;
  const gate = Promise.withResolvers<void>();

  beforeAll(async () => {
    service = await share(mode);
    site = await startFixtureSite();
    site.serve({
      '/open': OPEN_PAGE,
      '/end': ({ response }) => gate.promise.then(() => void response.end('over')),
    });
    // A browser without a page may be closed at any moment.
    const actions = [{ type: 'wait', ms: 60_000, selector: '#over' }];
    visit = service.client.scrape({ url: site.url('/open'), forceHeadless: true, actions });
    await until(() => site.count('/end') > 0, { what: 'an open page' });
    // Its page is converted by a thread.
    expect((await service.client.scrape({ url: site.url('/') })).status).toBe(200);
  });
  afterAll(async () => {
    gate.resolve();
    await visit;
    await site?.close();
    await service?.stop();
  });

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
      // The kernel lets such a value be changed now and then only.
      const lowered = [null, Math.max(own, LOWER)];
      await until(() => lowered.includes(sessionNicenessOf(pid)), { what: 'a lower session' });
    }
  });

  it('never runs as root, nor does anything it starts', async () => {
    const [browserProcess = 0] = browserProcessesOf(servicePid());
    const pids = [browserProcess, ...descendantsOf(browserProcess).map(({ pid }) => pid)];
    expect(pids.length).toBeGreaterThan(2);
    for (const pid of pids) expect(uidsOf(pid)).not.toContain('0');
  });
});
