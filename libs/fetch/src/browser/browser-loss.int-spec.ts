import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';
import { Deadline } from '@app/contracts';
import { openHandles, startLeakCheck, until } from '@app/testing';
import { BrowserLostError, BrowserUnavailableError } from './browser-errors.js';
import type { BrowserPool } from './browser-pool.js';
import { casesOf, isFullRun } from '../../../../test/setup/full-run.js';
import { chromiumPath } from '../../../../test/setup/test-servers.js';
import type { BrowserPoolOptions } from './pool-options.js';
import { readProcesses, treeOf } from '@app/processes';
import { compilePool } from '../../test/compiled-pool.js';
import { inPictureTurn } from './picture-turns.js';
import type { LaunchResult } from './pool-events.js';
import { browsersIn, poolRequest, openTestPool, type TestPool } from '../../test/test-pool.js';

async function browserPid(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const info = await session?.send('SystemInfo.getProcessInfo');
  return info?.processInfo.find((one) => one.type === 'browser')?.id ?? 0;
}

const title = (pool: BrowserPool) =>
  pool.withPage(poolRequest(), async ({ page }) => {
    await page.setContent('<title>alive</title>');
    return page.title();
  });

/** A deadline that leaves the work `workMs` from its beginning, however long its page took to open. */
function workClock(workMs: number) {
  let nowMs = 0;
  return {
    deadline: Deadline.at(60_000, () => nowMs),
    begin: () => void (nowMs = 60_000 - workMs),
  };
}

describe('BrowserPool when browsers and pages misbehave', () => {
  let open: TestPool;
  let pool: BrowserPool;
  let html = '';
  const paths: string[] = [];
  const crashes: string[] = [];
  beforeAll(async () => {
    const events = { onCrash: (reason: string) => void crashes.push(reason) };
    open = await openTestPool({ events }, (url, _request, response) => {
      paths.push(url.pathname);
      if (url.pathname === '/file') response.setHeader('content-disposition', 'attachment');
      response.setHeader('content-type', 'text/html');
      response.end(html);
    });
    pool = open.pool;
  });
  beforeEach(() => {
    html = '';
    paths.length = 0;
    crashes.length = 0;
  });
  afterAll(() => open[Symbol.asyncDispose]());

  it('fails the tasks of a killed browser as lost, and serves the next', async () => {
    const task = pool.withPage(poolRequest(), async ({ page }) => {
      process.kill(await browserPid(page), 'SIGKILL');
      await page.waitForSelector('#never');
    });
    await expect(task).rejects.toBeInstanceOf(BrowserLostError);
    expect(await title(pool)).toBe('alive');
    // On a busy machine the connection is seen to end before the process is.
    expect([['signal'], ['disconnected']]).toContainEqual(crashes);
  });

  it('repeats repeatable work once on another browser', async () => {
    const pids: number[] = [];
    const work = async ({ page }: { page: Page }) => {
      pids.push(await browserPid(page));
      if (pids.length > 1) return 'done';
      process.kill(pids[0] ?? 0, 'SIGKILL');
      // Until the loss is noticed.
      await page.waitForTimeout(60_000);
      return 'not lost';
    };
    await expect(pool.withPage(poolRequest({ isRepeatable: true }), work)).resolves.toBe('done');
    expect(pids).toHaveLength(2);
    expect(pids[1]).not.toBe(pids[0]);
  });

  it.each(
    casesOf<[string, string]>(
      [
        ['a storm of popups', '<script>setInterval(() => window.open("/"), 1)</script>'],
        [
          'a form that asks before it is left',
          '<script>onbeforeunload = () => 1; while (true);</script>',
        ],
      ],
      {
        full: [
          ['an endless script', '<script>while (true);</script>'],
          ['an alert loop', '<script>while (true) alert(1);</script>'],
          [
            'a storm of clicked links',
            '<a id=a target=_blank href=/>x</a><script>setInterval(() => a.click(), 5)</script>',
          ],
        ],
      },
    ),
  )('ends %s at the deadline, and others go on', async (_name, hostile) => {
    html = hostile;
    await title(pool);
    const startedAtMs = performance.now();
    const ended = pool
      .withPage(poolRequest({ deadline: Deadline.after(1_500) }), async ({ page }) => {
        await page.goto('http://site.example/', { waitUntil: 'commit' });
        await page.waitForSelector('#never', { timeout: 60_000 });
      })
      .catch((error: Error) => error.name);
    const beside = Promise.all([title(pool), title(pool)]);
    expect(await ended).toBe('PageTimeoutError');
    // Not by the 60 seconds of the wait.
    expect(performance.now() - startedAtMs).toBeLessThan(45_000);
    expect(await beside).toEqual(['alive', 'alive']);
    expect(await title(pool)).toBe('alive');
    await until(async () => (await pool.snapshot()).pagesOpen === 0);
    await until(() => open.proxy.portsOpen === 0);
  });

  it('cancels downloads', async () => {
    const download = await pool.withPage(poolRequest(), ({ page }) =>
      page.goto('http://site.example/file').catch((error: Error) => error.message),
    );
    expect(download).toMatch(/Download is starting|ERR_ABORTED/);
    const files = await readdir(open.scratchRoot, { recursive: true });
    expect(files.filter((name) => /\.crdownload|playwright-artifacts.*\/./.test(name))).toEqual([]);
  });

  it('opens no popup, so that none sends a request', async () => {
    const links = '<a id=a target=_blank href=/popup>x</a><a id=b href=/link>y</a>';
    const form = '<form target=_blank action=/form><button id=c>z</button></form>';
    html = links + form;
    await pool.withPage(poolRequest(), async ({ page, context }) => {
      await page.goto('http://site.example/');
      await page.click('#a');
      await page.click('#b', { button: 'middle' });
      await page.click('#c');
      await page.evaluate(`fetch('/last')`);
      await until(() => context.pages().length === 1);
    });
    expect(paths).toEqual(['/', '/last']);
  });

  it('reports a crashed page, and the browser lives on', async () => {
    const pids: number[] = [];
    const task = pool.withPage(poolRequest(), async ({ page, cdp }) => {
      pids.push(await browserPid(page));
      await Promise.all([cdp.send('Page.crash'), page.waitForSelector('#never')]);
    });
    await expect(task).rejects.toMatchObject({ name: 'PageCrashedError' });
    await pool.withPage(poolRequest(), async ({ page }) => pids.push(await browserPid(page)));
    expect(pids[1]).toBe(pids[0]);
  });
});

describe('BrowserPool with other options when browsers and pages misbehave', () => {
  let open: TestPool;
  let crashes: string[];
  const start = async (
    options: Partial<BrowserPoolOptions> = {},
    html = '',
  ): Promise<BrowserPool> => {
    crashes = [];
    const events = { onCrash: (reason: string) => void crashes.push(reason) };
    open = await openTestPool({ events, ...options }, (_url, _request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(html);
    });
    return open.pool;
  };
  afterEach(() => open[Symbol.asyncDispose]());
  const warmBrowser = async (pool: BrowserPool): Promise<number> => {
    await pool.ready();
    const [pid] = await browsersIn(open.scratchRoot);
    if (pid === undefined) throw new Error('no browser is warm');
    return pid;
  };
  const KILLS = isFullRun ? 5 : 2;

  it('continues however many browsers are killed, and keeps none of them on its list', async () => {
    const pool = await start({ maxBrowsers: 2, pagesPerBrowser: 2 });
    for (let kills = 1; kills <= KILLS; kills++) {
      // Work that ends in the moment of the loss: its page slot is freed while the cause is being
      // found.
      await pool
        .withPage(poolRequest(), async ({ page }) => {
          const pid = await browserPid(page);
          const gone = new Promise((resolve) =>
            page.context().browser()?.once('disconnected', resolve),
          );
          process.kill(pid, 'SIGKILL');
          await gone;
        })
        .catch(() => undefined);
    }
    expect(await title(pool)).toBe('alive');
    await until(async () => (await pool.snapshot()).instances.retiring === 0);
    // On a busy machine the connection is seen to end before the process is.
    expect(crashes).toHaveLength(KILLS);
    expect(['signal', 'disconnected']).toEqual(expect.arrayContaining(crashes));
  });

  it('ends a page that eats memory, and the browser lives on', async () => {
    const hog = '<script>const a = []; while (true) a.push(new Array(1e5).fill({}));</script>';
    const pool = await start({ maxHeapMiB: 64 }, hog);
    const task = pool.withPage(poolRequest(), ({ page }) =>
      page.goto('http://site.example/', { timeout: 0 }),
    );
    await expect(task).rejects.toMatchObject({ name: 'PageCrashedError' });
    expect(await title(pool)).toBe('alive');
    expect(crashes).toEqual([]);
  });

  it('ends the heaviest page of a browser above the hard cap of memory, and the others live on', async () => {
    const hog = `<canvas width=8000 height=8000></canvas><script>
      document.querySelector('canvas').getContext('2d').fillRect(0, 0, 8000, 8000);
      globalThis.kept = Array.from({ length: 10 }, () => new Uint8Array(6e7).fill(1));</script>`;
    const pool = await start({ killRssMiB: 900, maxRssMiB: 800, lookEveryMs: 50 }, hog);
    const small = pool.withPage(poolRequest(), async ({ page }) => {
      await page.setContent('<title>small</title>');
      const heavy = pool.withPage(poolRequest(), async ({ page: other }) => {
        await other.goto('http://site.example/', { timeout: 0 });
        await other.waitForSelector('#never', { timeout: 0 });
      });
      await expect(heavy).rejects.toMatchObject({ name: 'PageCrashedError' });
      return page.title();
    });
    expect(await small).toBe('small');
    expect(crashes).toEqual([]);
  });

  it('kills a browser above the hard cap of memory in which no page is heavy', async () => {
    const pool = await start({ killRssMiB: 20, maxRssMiB: 10, lookEveryMs: 50 });
    const task = pool.withPage(poolRequest(), ({ page }) =>
      page.waitForSelector('#never', { timeout: 0 }),
    );
    await expect(task).rejects.toMatchObject({ name: 'BrowserLostError', reason: 'oom' });
  });

  it('kills a browser that is stopped and responds to no probe', async () => {
    const pool = await start({ closeTimeoutMs: 300, warmBrowsers: 1 });
    const pid = await warmBrowser(pool);
    const { deadline, begin } = workClock(1_000);
    const task = pool.withPage(poolRequest({ deadline }), async ({ page }) => {
      begin();
      process.kill(pid, 'SIGSTOP');
      await page.title();
    });
    await expect(task).rejects.toMatchObject({ name: 'PageTimeoutError' });
    await until(() => crashes.length > 0, { what: 'the browser to be killed' });
    expect(crashes).toEqual(['unresponsive']);
    expect(await title(pool)).toBe('alive');
  });

  it('waits for a browser that takes a large picture and responds to nothing else meanwhile', async () => {
    const pool = await start({ closeTimeoutMs: 2_000, warmBrowsers: 1 });
    const pid = await warmBrowser(pool);
    const { deadline, begin } = workClock(500);
    const picture = Promise.withResolvers<void>();
    const isLate = Promise.withResolvers<void>();
    const task = pool.withPage(poolRequest({ deadline }), async ({ page }) => {
      begin();
      const take = async () => {
        process.kill(pid, 'SIGSTOP');
        await isLate.promise;
        process.kill(pid, 'SIGCONT');
      };
      picture.resolve(inPictureTurn(page.context().browser() ?? page, take));
      await page.title();
    });
    await expect(task).rejects.toMatchObject({ name: 'PageTimeoutError' });
    // Longer than the bound of closing its page.
    await pause(3_000);
    isLate.resolve();
    await picture.promise;
    expect(await title(pool)).toBe('alive');
    expect(crashes).toEqual([]);
  });

  it.each([
    ['is not there', { executablePath: '/nowhere/chromium' }, 'launch'],
    ['ends at once', { executablePath: '/bin/false' }, 'launch'],
    ['has no disk', { minFreeMiB: 1e12 }, 'disk'],
  ] as const)('says so when Chromium %s, without a busy loop', async (_name, options, reason) => {
    const launches: LaunchResult[] = [];
    const events = { onLaunch: (result: LaunchResult) => void launches.push(result) };
    const pool = await start({ ...options, events });
    const refusals = await Promise.all(
      [1, 2, 3].map(() => pool.withPage(poolRequest(), () => Promise.resolve()).catch((e) => e)),
    );
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(BrowserUnavailableError);
      expect(refusal).toMatchObject({ reason });
    }
    expect(launches.length).toBe(reason === 'disk' ? 0 : 3);
    expect(launches.every((launch) => !launch.ok && launch.problem !== '')).toBe(true);
    expect(await readdir(open.scratchRoot)).toEqual([]);
  });

  const TASKS = isFullRun ? 50 : 25;

  it('leaves nothing after many mixed tasks with aborts, errors and kills', async () => {
    const leaks = startLeakCheck();
    const pool = await start({ maxPagesPerBrowser: 15, maxBrowsers: 2, pagesPerBrowser: 3 });
    const tasks = Array.from({ length: TASKS }, (_value, index) => {
      const abort = new AbortController();
      const contextKey = index % 3 === 0 ? `host ${index % 2}` : null;
      const deadline = Deadline.after(index % 7 === 0 ? 400 : 60_000);
      const request = poolRequest({ contextKey, deadline, signal: abort.signal });
      return pool.withPage(request, async ({ page }) => {
        await page.goto('http://site.example/');
        if (index % 5 === 0) abort.abort(new Error('cancelled'));
        if (index % 11 === 0) throw new Error('failed');
        if (index === 23) process.kill(await browserPid(page), 'SIGKILL');
        if (index % 7 === 0) await page.waitForSelector('#never');
      });
    });
    const outcomes = await Promise.allSettled(tasks);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(
      TASKS * 0.3,
    );
    await until(async () => (await pool.snapshot()).pagesOpen === 0);
    await open[Symbol.asyncDispose]();
    expect(open.proxy.portsOpen).toBe(0);
    expect(await browsersIn(open.scratchRoot)).toEqual([]);
    await leaks.assertClean();
    expect(openHandles()['ChildProcess'] ?? 0).toBe(0);
    await start();
  });
});

describe('BrowserPool after its predecessor was killed', () => {
  it('finds no Chromium and no folder of it left', async () => {
    await using compiled = await compilePool(ownerScript());
    const scratchRoot = path.join(compiled.folder, 'scratch');
    const owner = spawn(process.execPath, [compiled.main, scratchRoot], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    await using _end = { [Symbol.asyncDispose]: async () => void owner.kill('SIGKILL') };
    const [groupId] = await browsersIn(scratchRoot);
    if (groupId === undefined) throw new Error('The owner started no browser');
    const living = async () =>
      treeOf(groupId, await readProcesses()).filter(({ isZombie }) => !isZombie);
    const owned = await living();
    // The browser, its helpers and a process per page or two.
    expect(owned.length).toBeGreaterThan(5);
    // Stopped, they do not notice that their pipe closes: the worst case.
    for (const { pid } of owned) process.kill(pid, 'SIGSTOP');
    owner.kill('SIGKILL');
    await once(owner, 'exit');

    await using successor = await openTestPool({ scratchRoot });
    const report = await successor.pool.ready();
    expect(report.folders).toBe(1);
    // The processes may have been ended by any pool that started on this machine meanwhile.
    expect(await living()).toEqual([]);
    expect(await browsersIn(scratchRoot)).toEqual([]);
    expect(await readdir(scratchRoot)).toEqual([]);
  });

  it('leaves the browsers of a living owner alone', async () => {
    await using first = await openTestPool();
    const { scratchRoot } = first;
    await first.pool.withPage(poolRequest(), async ({ page }) => {
      await using second = await openTestPool({ scratchRoot });
      expect(await second.pool.ready()).toEqual({ processes: 0, folders: 0 });
      expect(await page.evaluate('1 + 1')).toBe(2);
    });
  });
});

const ownerScript = (): string => `
import { BrowserPool } from './pool/browser-pool.js';
const proxyPort = { url: 'http://127.0.0.1:9', usage: {}, refusalOf: () => null, close: async () => {} };
const pool = new BrowserPool({
  executablePath: ${JSON.stringify(chromiumPath())},
  refusingUrl: proxyPort.url, openSession: async () => proxyPort, userAgentSuffix: '',
  scratchRoot: process.argv[2], pagesPerBrowser: 8,
});
let open = 0;
const deadline = { isPassed: false, remainingMs: () => 60_000 };
for (let n = 0; n < 8; n++)
  pool.withPage(
    { country: null, stealth: false, mobile: false, viewport: { width: 800, height: 600 }, contextKey: null, priority: 'interactive', deadline },
    async () => { if (++open === 8) process.stdout.write('open'); await new Promise(() => {}); });
setInterval(() => {}, 1000);
`;
