import { readFileSync } from 'node:fs';
import { SiteServer, until } from '@app/testing';
import { browserCensus, browserProcessesOf, browsersOf, sumOfGauge } from './browser-census.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import type { ScrapeBody } from './trap-run.js';

const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);
const MIB = 1024 ** 2;
/** A page that floods sends a few of 10 MiB a second, and held all of them. */
const FLOOD_MS = 8_000;
const MAX_GROWTH_MIB = 150;
const PAGES = 3;

/** `name: value kB` of a process, in MiB. */
function residentMiBOf(pid: number): number {
  const kiB = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kiB ?? 0) / 1024;
}

/** Nothing in it can be packed: a PNG of it has three bytes for each pixel. */
const noisePage = (width: number, height: number) => `<body style="margin:0">
  <canvas width=${width} height=${height} style="display:block"></canvas><script>
  const context = document.querySelector('canvas').getContext('2d');
  const rows = context.createImageData(${width}, 64);
  for (let y = 0; y < ${height}; y += 64) {
    for (let at = 0; at < rows.data.length; at += 16384)
      crypto.getRandomValues(new Uint8Array(rows.data.buffer, at, Math.min(16384, rows.data.length - at)));
    for (let at = 3; at < rows.data.length; at += 4) rows.data[at] = 255;
    context.putImageData(rows, 0, y);
  }</script>`;

/** `browser-process.e2e-spec.ts` has what it may do. */
describe.each(MODES)('the process that browsers are controlled from, %s', (mode) => {
  let site: SiteServer;
  let service: Deployment;

  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end('none'));
    site.serve({
      '/calm': `<p>${LONG}</p><p>calm</p><script>document.body.append('made')</script>`,
      '/flood': `<p>${LONG}</p><script>
        const text = 'x'.repeat(${10 * MIB});
        const log = () => { for (let n = 0; n < 5; n++) console.log(text + n); setTimeout(log); };
        setTimeout(log, 50);
      </script>`,
      '/slow': `<p>${LONG}</p>`,
      '/noise': noisePage(1_920, 16_384),
    });
    service = await deploy(mode, {
      env: {
        BROWSER_MAX: '1',
        BROWSER_PAGES: '8',
        // For four pictures of 31 megapixels, one after the other, on a busy machine.
        SCRAPE_TIMEOUT_MS: '250000',
        SCRAPE_CONCURRENCY: '8',
      },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  const fetcher = () => service.apps.find(({ app }) => app === 'fetcher') ?? service.apps[0];
  const servicePid = (): number => fetcher()?.process.pid ?? 0;
  const scrape = async (path: string, options: object = {}) => {
    const url = site.url(path);
    const answer = await service.client.scrape({ url, forceHeadless: true, ...options });
    return { status: answer.status, body: answer.body as ScrapeBody };
  };

  it('serves other pages while one floods the console, and holds little of it', async () => {
    expect((await scrape('/calm')).body).toMatchObject({ ok: true });
    const pids = [servicePid(), ...browserProcessesOf(servicePid())];
    const before = pids.map(residentMiBOf);
    const flooded = scrape('/flood', { waitFor: FLOOD_MS });
    await until(async () => (await sumOfGauge(service.apps, 'trawl_browser_pages_open')) > 0);
    for (let times = 0; times < 3; times++) {
      const { body } = await scrape('/calm');
      const expected = { ok: true, error: undefined, markdown: expect.stringContaining('made') };
      expect({ error: undefined, ...body }).toMatchObject(expected);
    }
    const { status, body } = await flooded;
    // What the slow machine did not render in time fails with its reason.
    expect([200, 422, 502, 504]).toContain(status);
    if (status !== 200) expect(body).toMatchObject({ ok: false, error: expect.any(String) });
    const grown = pids.map((pid, at) => residentMiBOf(pid) - (before[at] ?? 0));
    for (const one of grown) expect(one).toBeLessThan(MAX_GROWTH_MIB);
    expect((await scrape('/calm')).body).toMatchObject({ ok: true });
    expect([servicePid(), ...browserProcessesOf(servicePid())]).toEqual(pids);
  });

  it('takes the largest pictures one after the other, and its other pages go on', async () => {
    expect((await scrape('/calm')).body).toMatchObject({ ok: true });
    const crashes = () => sumOfGauge(service.apps, 'trawl_browser_crashes_total');
    const before = await crashes();
    const calm = scrape('/slow', { waitFor: 20_000 });
    const shots = Array.from({ length: 4 }, async (_, n) => {
      const url = site.url(`/noise?${n}`);
      const response = await fetch(`${service.url}/v1/screenshot`, {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
        body: JSON.stringify({ url, width: 1_920, waitFor: 0 }),
      });
      // One without object storage is 126 MB of base64.
      return [response.status, (await response.text()).slice(0, 100)];
    });
    expect(await Promise.all(shots)).toEqual(Array(4).fill([200, expect.any(String)]));
    expect((await calm).body).toMatchObject({ ok: true });
    // One that holds much afterwards is replaced, which is no crash.
    expect(await crashes()).toBe(before);
  });

  it('is killed with pages open: they end in their time, the next page is rendered, no process stays', async () => {
    const open = Array.from({ length: PAGES }, (_, n) => scrape(`/slow?${n}`, { waitFor: 20_000 }));
    await until(
      async () => (await sumOfGauge(service.apps, 'trawl_browser_pages_open')) === PAGES,
      { what: 'open pages', timeoutMs: 30_000 },
    );
    const [killed = 0] = browserProcessesOf(servicePid());
    const browsers = browsersOf(servicePid());
    expect(browsers).not.toEqual([]);
    process.kill(killed, 'SIGKILL');
    for (const { status, body } of await Promise.all(open)) {
      // Rendered anew, by its successor.
      expect([status, body.markdown]).toEqual([200, expect.stringContaining('enough text')]);
    }
    expect((await scrape('/calm')).body).toMatchObject({ ok: true });
    const successors = browserProcessesOf(servicePid());
    expect(successors).toHaveLength(1);
    expect(successors).not.toContain(killed);
    await until(() => browsers.every((pid) => !browsersOf(servicePid()).includes(pid)), {
      what: 'the end of its browsers',
    });
    await until(async () => (await browserCensus(service.apps)).openPages === 0);
    expect(await sumOfGauge(service.apps, 'trawl_browser_crashes_total')).toBeGreaterThan(0);
  });
});
