import { existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { Deadline } from '@app/contracts';
import { until } from '@app/testing';
import { PageTimeoutError, PoolSaturatedError } from './browser-errors.js';
import type { BrowserPool } from './browser-pool.js';
import type { BrowserPoolOptions } from './pool-options.js';
import { poolRequest, openTestPool, type TestPool } from '../../test/test-pool.js';

async function browserPid(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const info = await session?.send('SystemInfo.getProcessInfo');
  return info?.processInfo.find((one) => one.type === 'browser')?.id ?? 0;
}

describe('BrowserPool with a real Chromium', () => {
  let open: TestPool;
  const start = async (options: Partial<BrowserPoolOptions> = {}): Promise<BrowserPool> => {
    open = await openTestPool(options);
    return open.pool;
  };
  afterEach(() => open[Symbol.asyncDispose]());

  it('renders a page that needs its script', async () => {
    const pool = await start();
    const text = await pool.withPage(poolRequest(), async ({ page }) => {
      await page.setContent('<p id=a></p><script>a.textContent = "by " + "script"</script>');
      return page.textContent('#a');
    });
    expect(text).toBe('by script');
  });

  it('cannot reach loopback: the only way out is the proxy', async () => {
    let connections = 0;
    const canary = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const { port } = canary.address() as AddressInfo;
    const pool = await start();
    const text = await pool.withPage(poolRequest(), async ({ page }) => {
      await page.goto(`http://127.0.0.1:${port}/`);
      return page.textContent('body');
    });
    canary.close();
    expect(text).toBe('ok');
    expect(connections).toBe(0);
  });

  it.each([
    ['pages', { maxPagesPerBrowser: 1 }],
    ['age', { maxBrowserAgeMs: 1 }],
    ['rss', { maxRssMiB: 20, lookEveryMs: 50 }],
  ] as const)('replaces a browser that had its share of %s', async (reason, options) => {
    const recycled: string[] = [];
    const pool = await start({ ...options, events: { onRecycle: (why) => recycled.push(why) } });
    const first = await pool.withPage(poolRequest(), ({ page }) => browserPid(page));
    await until(() => recycled.length > 0, { what: 'the browser to retire' });
    const second = await pool.withPage(poolRequest(), ({ page }) => browserPid(page));
    expect(first).toBeGreaterThan(0);
    expect(second).not.toBe(first);
    expect(recycled[0]).toBe(reason);
  });

  it('lets a retiring browser finish its pages beside its replacement', async () => {
    const pool = await start({ maxPagesPerBrowser: 2, pagesPerBrowser: 2 });
    const gate = Promise.withResolvers<void>();
    const long = pool.withPage(poolRequest(), async ({ page }) => {
      const pid = await browserPid(page);
      await gate.promise;
      return { pid, title: await page.title() };
    });
    await pool.withPage(poolRequest(), ({ page }) => browserPid(page));
    await until(async () => (await pool.snapshot()).instances.retiring === 1);
    const next = await pool.withPage(poolRequest(), ({ page }) => browserPid(page));
    gate.resolve();
    const { pid, title } = await long;
    expect(title).toBe('');
    expect(next).not.toBe(pid);
  });

  it('shares one browser between pages and launches no second before it is full', async () => {
    const pool = await start({ maxBrowsers: 2, pagesPerBrowser: 2 });
    const gate = Promise.withResolvers<void>();
    const task = () =>
      pool.withPage(poolRequest(), async ({ page }) => {
        const pid = await browserPid(page);
        await gate.promise;
        return pid;
      });
    const two = [task(), task()];
    await until(async () => (await pool.snapshot()).pagesOpen === 2);
    expect((await pool.snapshot()).instances.busy).toBe(1);
    const third = task();
    await until(async () => (await pool.snapshot()).instances.busy === 2);
    gate.resolve();
    const [first, second, other] = await Promise.all([...two, third]);
    expect(first).toBe(second);
    expect(other).not.toBe(first);
  });

  it('closes an idle browser and its scratch folder', async () => {
    const pool = await start({ idleBrowserMs: 50 });
    await pool.withPage(poolRequest(), ({ page }) => page.setContent('x'));
    expect(readdirSync(open.scratchRoot)).toHaveLength(1);
    await until(() => readdirSync(open.scratchRoot).length === 0, { what: 'the folder to go' });
  });

  it('leaves no scratch folder and no profile behind', async () => {
    const pool = await start();
    await pool.withPage(poolRequest(), ({ page }) => page.setContent('x'));
    const [folder = ''] = readdirSync(open.scratchRoot);
    expect(readdirSync(`${open.scratchRoot}/${folder}`)).toContain('profile');
    await pool.close();
    expect(existsSync(`${open.scratchRoot}/${folder}`)).toBe(false);
  });

  it('keeps the warm browsers up', async () => {
    const pool = await start({ warmBrowsers: 1, idleBrowserMs: 50 });
    await pool.ready();
    await until(async () => (await pool.snapshot()).instances.idle === 1);
  });

  describe('with all page slots in use', () => {
    let gate: PromiseWithResolvers<void>;
    let holder: Promise<unknown>;
    /** Ends the first of what holds the slots; `gate` ends all. */
    let freeOne: () => void;
    const hold = async (options: Partial<BrowserPoolOptions> = {}): Promise<BrowserPool> => {
      const pool = await start({ maxBrowsers: 1, pagesPerBrowser: 1, ...options });
      gate = Promise.withResolvers<void>();
      const first = Promise.withResolvers<void>();
      freeOne = first.resolve;
      const holdOne = async (until: Promise<void>): Promise<void> => {
        const held = Promise.withResolvers<void>();
        const one = pool.withPage(poolRequest(), () => {
          held.resolve();
          return until;
        });
        holder = Promise.all([holder, one]);
        await held.promise;
      };
      holder = Promise.resolve();
      // That of one tenant, and that of those who come meanwhile.
      await holdOne(Promise.race([gate.promise, first.promise]));
      await holdOne(gate.promise);
      return pool;
    };
    const nothing = () => Promise.resolve();

    it('serves interactive tasks before crawl pages', async () => {
      const pool = await hold();
      const order: string[] = [];
      const tasks = (['crawl', 'crawl', 'interactive'] as const).map((priority, index) =>
        pool.withPage(poolRequest({ priority }), async () => {
          order.push(`${priority} ${index}`);
        }),
      );
      // One after the other, through the one slot that is free.
      freeOne();
      await Promise.all(tasks);
      gate.resolve();
      await holder;
      expect(order).toEqual(['interactive 2', 'crawl 0', 'crawl 1']);
    });

    it('refuses at once when the line is full', async () => {
      const pool = await hold({ maxWaiting: 1 });
      const waiter = pool.withPage(poolRequest(), nothing);
      const refusal = pool.withPage(poolRequest(), nothing);
      await expect(refusal).rejects.toMatchObject({ reason: 'line_full' });
      await expect(refusal).rejects.toBeInstanceOf(PoolSaturatedError);
      gate.resolve();
      await Promise.all([holder, waiter]);
    });

    it('ends a wait at its deadline, and keeps nothing of it', async () => {
      const pool = await hold();
      const deadline = Deadline.after(50);
      const waiter = pool.withPage(poolRequest({ deadline }), nothing);
      await expect(waiter).rejects.toMatchObject({ reason: 'deadline' });
      expect((await pool.snapshot()).waiters).toBe(0);
      gate.resolve();
      await holder;
      await pool.withPage(poolRequest(), nothing);
    });

    it('ends a wait when its signal is aborted', async () => {
      const pool = await hold();
      const abort = new AbortController();
      const waiter = pool.withPage(poolRequest({ signal: abort.signal }), nothing);
      abort.abort(new Error('cancelled'));
      await expect(waiter).rejects.toThrow('cancelled');
      expect((await pool.snapshot()).waiters).toBe(0);
      gate.resolve();
      await holder;
    });

    it('drains: running work may finish, waiting work is refused', async () => {
      const pool = await hold();
      const waiter = pool.withPage(poolRequest(), nothing);
      const refused = expect(waiter).rejects.toMatchObject({ reason: 'closed' });
      const drained = pool.drain(60_000);
      await refused;
      await expect(pool.withPage(poolRequest(), nothing)).rejects.toMatchObject({
        reason: 'closed',
      });
      gate.resolve();
      await holder;
      await drained;
      expect(readdirSync(open.scratchRoot)).toEqual([]);
    });

    it('kills unfinished work when the drain ends', async () => {
      const pool = await hold();
      const lost = expect(holder).rejects.toMatchObject({ name: 'BrowserLostError' });
      await pool.drain(50);
      await lost;
      expect(readdirSync(open.scratchRoot)).toEqual([]);
    });
  });

  it('closes the page of work that is not finished by its deadline', async () => {
    const pool = await start();
    await pool.withPage(poolRequest(), ({ page }) => page.title());
    const startedAtMs = performance.now();
    const late = pool.withPage(
      poolRequest({ deadline: Deadline.after(3_000) }),
      () => new Promise(() => undefined),
    );
    await expect(late).rejects.toBeInstanceOf(PageTimeoutError);
    // The work itself never ends.
    expect(performance.now() - startedAtMs).toBeLessThan(45_000);
    await until(async () => (await pool.snapshot()).pagesOpen === 0);
  });
});
