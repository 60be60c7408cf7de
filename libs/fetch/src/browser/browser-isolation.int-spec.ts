import { until } from '@app/testing';
import type { LeasedPage, LeaseRequest } from './pool-options.js';
import type { BrowserPool } from './browser-pool.js';
import { poolRequest, openTestPool, type TestPool } from '../../test/test-pool.js';

/**
 * Leaves a trace in every kind of storage a page has; `localhost` because some need a secure
 * origin.
 */
const LEAVE_TRACES = `(async () => {
  document.cookie = 'trace=1; max-age=1000';
  localStorage.trace = '1';
  sessionStorage.trace = '1';
  window.name = 'trace';
  await (await caches.open('trace')).put('/x', new Response('1'));
  await new Promise((resolve) => {
    const opening = indexedDB.open('trace');
    opening.onsuccess = () => { opening.result.close(); resolve(); };
  });
  await navigator.serviceWorker?.register('/worker.js').catch(() => undefined);
})()`;

const FIND_TRACES = `(async () => {
  const found = [];
  if (document.cookie) found.push('cookie');
  if (localStorage.trace) found.push('localStorage');
  if (sessionStorage.trace) found.push('sessionStorage');
  if (window.name) found.push('window.name');
  if ((await caches.keys()).length) found.push('caches');
  if ((await indexedDB.databases()).length) found.push('indexedDB');
  if ((await navigator.serviceWorker?.getRegistrations())?.length) found.push('serviceWorker');
  if (history.length > 2) found.push('history');
  return found;
})()`;

const ADD_FOREIGN_FRAME = `new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.onload = () => resolve();
  frame.src = 'http://127.0.0.1/frame';
  document.body.append(frame);
})`;

const SITE = 'http://localhost/';
const ALL_TRACES = [
  'cookie',
  'localStorage',
  'sessionStorage',
  'window.name',
  'caches',
  'indexedDB',
];

describe('state of one page that another could see', () => {
  let open: TestPool;
  let pool: BrowserPool;
  let requests: { readonly path: string; readonly authorization: string | undefined }[];
  /** Of this case alone. */
  let contextKey: string;
  let keptBefore: number;
  let cases = 0;
  beforeAll(async () => {
    // A context is of use twice; what a case leaves stays, so that the next one can count.
    const options = { pagesPerBrowser: 10, maxContextUses: 2, keepContextMs: 600_000 };
    open = await openTestPool(options, (url, { headers }, response) => {
      requests.push({ path: url.pathname, authorization: headers.authorization });
      if (url.pathname === '/auth' && headers.authorization === undefined) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm=x' });
        return response.end();
      }
      const isScript = url.pathname.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      if (url.pathname === '/cached.js') response.setHeader('cache-control', 'max-age=1000');
      return response.end(isScript ? '' : '<script src=/cached.js></script><p>page');
    });
    pool = open.pool;
  });
  beforeEach(async () => {
    ({ contextsKept: keptBefore } = await atRest());
    contextKey = `case ${++cases}`;
    requests = [];
  });
  afterAll(() => open[Symbol.asyncDispose]());

  /** No context is open but those that are kept. */
  const atRest = () =>
    until(async () => {
      const snapshot = await pool.snapshot();
      return open.proxy.portsOpen === snapshot.contextsKept && snapshot;
    });
  const visit = (key: string | null, script: string) =>
    pool.withPage(poolRequest({ contextKey: key }), async ({ page, isReused }: LeasedPage) => {
      await page.goto(SITE);
      return { isReused, found: await page.evaluate<string[] | undefined>(script) };
    });
  const keptContext = () =>
    until(async () => (await pool.snapshot()).contextsKept === keptBefore + 1);

  it('notices every trace while it is there', async () => {
    const found = await pool.withPage(poolRequest(), async ({ page }) => {
      await page.goto(SITE);
      await page.evaluate(LEAVE_TRACES);
      await page.reload();
      return page.evaluate(FIND_TRACES);
    });
    expect(found).toEqual(ALL_TRACES);
  });

  it('finds nothing in a context of its own', async () => {
    await visit(null, LEAVE_TRACES);
    expect(await visit(null, FIND_TRACES)).toEqual({ isReused: false, found: [] });
  });

  it('finds nothing in the cleared context of its own key, but the HTTP cache', async () => {
    await visit(contextKey, LEAVE_TRACES);
    await keptContext();
    expect(await visit(contextKey, FIND_TRACES)).toEqual({ isReused: true, found: [] });
    expect(requests.filter(({ path }) => path === '/cached.js')).toHaveLength(1);
  });

  it('finds none of the memory that the page before took', async () => {
    const heapAfter = (script: string) =>
      pool.withPage(poolRequest({ contextKey }), async ({ page, cdp, isReused }) => {
        await page.goto(SITE);
        await page.evaluate(script);
        const { usedSize } = await cdp.send('Runtime.getHeapUsage');
        return { isReused, isLarge: usedSize > 40_000_000 };
      });
    const take =
      'void (window.kept = Array.from({ length: 400 }, () => new Array(25_000).fill(1.5)))';
    expect(await heapAfter(take)).toEqual({ isReused: false, isLarge: true });
    await keptContext();
    expect(await heapAfter('0')).toEqual({ isReused: true, isLarge: false });
  });

  it('never gets the context of another key, nor its cache', async () => {
    await visit(contextKey, LEAVE_TRACES);
    await keptContext();
    expect(await visit('other', FIND_TRACES)).toEqual({ isReused: false, found: [] });
    expect(requests.filter(({ path }) => path === '/cached.js')).toHaveLength(2);
  });

  it('never gets the context of a page that looked otherwise', async () => {
    await visit(contextKey, LEAVE_TRACES);
    await keptContext();
    const request = poolRequest({ contextKey, country: 'DE' });
    expect(await pool.withPage(request, async ({ isReused }) => isReused)).toBe(false);
  });

  it('sends no HTTP credentials of another page', async () => {
    await pool.withPage(poolRequest(), async ({ page }) => {
      await page.goto('http://user:secret@localhost/auth').catch(() => undefined);
    });
    const first = requests.splice(0).filter(({ path }) => path === '/auth');
    expect(first.at(-1)?.authorization ?? '').toMatch(/^Basic /);
    await pool.withPage(poolRequest(), async ({ page }) => {
      await page.goto('http://localhost/auth').catch(() => undefined);
    });
    expect(requests.length).toBeGreaterThan(0);
    for (const { authorization } of requests) expect(authorization).toBeUndefined();
  });

  it('has no listener and sends no header of the previous page', async () => {
    let heard = 0;
    const request = poolRequest({ contextKey });
    await pool.withPage(request, async ({ page }) => {
      page.on('response', () => heard++);
      await page.setExtraHTTPHeaders({ authorization: 'Bearer secret' });
      await page.goto(SITE);
    });
    await keptContext();
    const before = heard;
    expect(requests.at(0)?.authorization).toBe('Bearer secret');
    await pool.withPage(request, ({ page }) => page.goto(`${SITE}next`));
    expect(requests.at(-1)).toEqual({ path: '/next', authorization: undefined });
    expect(heard).toBe(before);
  });

  it('keeps no session storage of a frame of another site', async () => {
    const request = poolRequest({ contextKey });
    const inFrame = (script: string) =>
      pool.withPage(request, async ({ page, isReused }) => {
        await page.goto(SITE);
        await page.evaluate(ADD_FOREIGN_FRAME);
        const found = await page.frames()[1]?.evaluate<number>(script);
        return { isReused, found };
      });
    const leave = 'sessionStorage.trace = localStorage.trace = 1; sessionStorage.length';
    expect(await inFrame(leave)).toEqual({ isReused: false, found: 1 });
    await keptContext();
    const find = 'sessionStorage.length + localStorage.length';
    expect(await inFrame(find)).toEqual({ isReused: true, found: 0 });
  });

  describe('the context of a page', () => {
    let other: TestPool;
    beforeAll(async () => {
      other = await openTestPool({ closeTimeoutMs: 3_500 }, (url, { headers }, response) => {
        const isRefused = url.pathname === '/auth' && headers.authorization === undefined;
        if (isRefused) response.writeHead(401, { 'www-authenticate': 'Basic realm=x' });
        else response.setHeader('content-type', 'text/html');
        response.end('page');
      });
    });
    afterAll(() => other[Symbol.asyncDispose]());

    it.each<[string, (lease: LeasedPage) => Promise<unknown> | void]>([
      ['that requested it', ({ discard }) => discard()],
      ['that sent HTTP credentials', ({ page }) => page.goto('http://user:secret@localhost/auth')],
      ['that went on to another site', ({ page }) => page.goto('http://127.0.0.1/')],
      [
        'that will not leave its document',
        ({ page }) => page.evaluate(`navigation.onnavigate = (event) => event.preventDefault()`),
      ],
      [
        'whose frame of another site is gone',
        async ({ page }) => {
          await page.evaluate(ADD_FOREIGN_FRAME);
          await page.evaluate(`document.querySelector('iframe').remove()`);
        },
      ],
    ])('%s is never used again', async (_name, work) => {
      const request = poolRequest({ contextKey });
      await other.pool.withPage(request, async (lease) => {
        await lease.page.goto(SITE);
        await work(lease);
      });
      await until(() => other.proxy.portsOpen === 0, { what: 'the context to be closed' });
      const next = other.pool.withPage(request, async ({ isReused, discard }) => {
        discard();
        return isReused;
      });
      expect(await next).toBe(false);
    });
  });

  it('closes a reusable context when another task needs its page slot', async () => {
    await using tight = await openTestPool({ maxBrowsers: 1, pagesPerBrowser: 1 });
    const leave = poolRequest({ contextKey: 'job host' });
    // In the other slot.
    await tight.pool.withPage(poolRequest(), async () => {
      await tight.pool.withPage(leave, ({ page }) => page.goto(SITE));
      await until(async () => (await tight.pool.snapshot()).contextsKept === 1);
      await tight.pool.withPage(poolRequest(), ({ page }) => page.goto(SITE));
      expect((await tight.pool.snapshot()).contextsKept).toBe(0);
    });
  });

  it('passes the context directly to the next waiting task of its key', async () => {
    await using tight = await openTestPool({ maxBrowsers: 1, pagesPerBrowser: 1 });
    const request = poolRequest({
      contextKey: 'job host',
      owner: { tenantId: 'tenant', isFree: false },
    });
    const task = () => tight.pool.withPage(request, async ({ isReused }) => isReused);
    expect(await Promise.all([task(), task(), task()])).toEqual([false, true, true]);
  });

  it('counts a kept context as no page of the tenant that left it', async () => {
    await using other = await openTestPool({ pagesPerBrowser: 4, keepContextMs: 600_000 });
    const owner = { tenantId: 'tenant', isFree: false };
    for (const host of ['a', 'b', 'c']) {
      const request = poolRequest({ contextKey: `tenant ${host}`, owner });
      await other.pool.withPage(request, ({ page }) => page.goto(SITE));
      await until(async () => (await other.pool.snapshot()).contextsKept > 0);
    }
    const together = Promise.withResolvers<void>();
    let begun = 0;
    const task = () =>
      other.pool.withPage(poolRequest({ owner }), async () => {
        if (++begun === 4) together.resolve();
        await together.promise;
      });
    // Alone it may have all of its pages.
    await Promise.all([task(), task(), task(), task()]);
    expect(begun).toBe(4);
  });

  it('makes a context ahead of the next task that looks like the last', async () => {
    await using other = await openTestPool({ spareContextMs: 600_000 });
    const atRest = () =>
      until(async () => (await other.pool.snapshot()).contextsKept === 1, { what: 'a spare' });
    const task = (changes: Partial<LeaseRequest> = {}) =>
      other.pool.withPage(poolRequest(changes), async ({ page, isReused }) => {
        const found = [page.url(), isReused, other.proxy.portsOpen];
        await page.goto(SITE);
        return found;
      });
    expect(await task()).toEqual(['about:blank', false, 1]);
    await atRest();
    // No task has used it: one of another tenant gets it, and none gets it afterwards.
    const owner = { tenantId: 'other', isFree: false };
    expect(await task({ owner })).toEqual(['about:blank', false, 1]);
    await atRest();
    expect(await task({ contextKey: 'job host' })).toEqual(['about:blank', false, 1]);
    await atRest();
    expect(await task({ mobile: true })).toEqual(['about:blank', false, 2]);
  });

  it('ends no page of others because a context made ahead opens late', async () => {
    await using ports = await openTestPool();
    const [isAwaited, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    const openSession = async () => {
      if (++asked === 2) {
        isAwaited.resolve();
        await late.promise;
      }
      return ports.proxy.openProxyPort();
    };
    // A busy machine closes a context within it.
    const closeTimeoutMs = 2_000;
    const options = { spareContextMs: 600_000, closeTimeoutMs, openSession };
    await using other = await openTestPool(options);
    await other.pool.withPage(poolRequest(), ({ page }) => page.goto(SITE));
    await isAwaited.promise;
    const later = `new Promise((resolve) => setTimeout(() => resolve(true), ${closeTimeoutMs + 200}))`;
    expect(await other.pool.withPage(poolRequest(), ({ page }) => page.evaluate(later))).toBe(true);
    late.resolve();
    await until(async () => (await other.pool.snapshot()).contextsKept === 1, { what: 'a spare' });
  });

  it('drops a context made ahead after its time, and makes no other', async () => {
    await using other = await openTestPool({ spareContextMs: 10 });
    await other.pool.withPage(poolRequest(), ({ page }) => page.goto(SITE));
    await until(() => other.proxy.portsOpened === 2, { what: 'a spare' });
    await until(() => other.proxy.portsOpen === 0, { what: 'the spare to be dropped' });
    expect(other.proxy.portsOpened).toBe(2);
  });

  it.each([
    ['after its uses', { maxContextUses: 1, keepContextMs: 600_000 }],
    ['after its time', { keepContextMs: 10 }],
  ])('drops a kept context %s', async (_name, options) => {
    await using other = await openTestPool(options);
    const request = poolRequest({ contextKey: 'job host' });
    await other.pool.withPage(request, ({ page }) => page.goto(SITE));
    await until(() => other.proxy.portsOpen === 0, { what: 'the context to be dropped' });
    expect(await other.pool.withPage(request, async ({ isReused }) => isReused)).toBe(false);
  });
});
