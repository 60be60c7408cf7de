import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import type { Page } from 'playwright';
import { BrowserPool } from './browser-pool.js';
import { findChromium } from './find-chromium.js';

/** Nothing listens there: whatever a page asks for goes nowhere. */
const DEAD_PROXY = 'http://127.0.0.1:9';

function openPool(options: { maxPagesPerBrowser?: number } = {}): BrowserPool {
  const executablePath = findChromium(process.env['CHROMIUM_PATH']);
  if (executablePath === null) throw new Error('No Chromium: run `npm run services start`');
  return new BrowserPool({
    executablePath,
    proxy: DEAD_PROXY,
    sandbox: false,
    maxBrowsers: 1,
    maxPagesPerBrowser: options.maxPagesPerBrowser ?? 50,
    launchTimeoutMs: 20_000,
  });
}

const scratchFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('trawl-browser-'));

describe('BrowserPool with a real Chromium', () => {
  let pool: BrowserPool;
  afterEach(() => pool.close());

  it('renders a page that needs its script', async () => {
    pool = openPool();
    const text = await pool.withPage(async (page) => {
      await page.setContent('<p id=a></p><script>a.textContent = "by " + "script"</script>');
      return page.textContent('#a');
    });
    expect(text).toBe('by script');
  });

  it('shares no storage between two tasks on the same browser', async () => {
    pool = openPool();
    const cookies = await pool.withPage(async (page) => {
      await page.context().addCookies([{ name: 'a', value: '1', url: 'http://site.example' }]);
      return page.context().cookies();
    });
    expect(cookies).toHaveLength(1);
    expect(await pool.withPage((page) => page.context().cookies())).toEqual([]);
  });

  it('cannot reach loopback: the only way out is the proxy', async () => {
    let connections = 0;
    const canary = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const { port } = canary.address() as AddressInfo;
    pool = openPool();
    const failure = await pool.withPage((page) =>
      page.goto(`http://127.0.0.1:${port}/`, { timeout: 10_000 }).then(
        () => 'reached',
        (error: Error) => error.message,
      ),
    );
    canary.close();
    expect(failure).toContain('ERR_PROXY_CONNECTION_FAILED');
    expect(connections).toBe(0);
  });

  const browserPid = async (page: Page): Promise<number> => {
    const session = await page.context().browser()?.newBrowserCDPSession();
    const info = await session?.send('SystemInfo.getProcessInfo');
    return info?.processInfo.find((one) => one.type === 'browser')?.id ?? 0;
  };

  it('replaces a browser that has served its pages', async () => {
    pool = openPool({ maxPagesPerBrowser: 1 });
    const first = await pool.withPage(browserPid);
    const second = await pool.withPage(browserPid);
    expect(first).toBeGreaterThan(0);
    expect(second).not.toBe(first);
  });

  it('keeps a browser that has not', async () => {
    pool = openPool();
    expect(await pool.withPage(browserPid)).toBe(await pool.withPage(browserPid));
  });

  it('replaces a browser that was killed', async () => {
    pool = openPool();
    const killed = await pool.withPage(async (page) => {
      const pid = await browserPid(page);
      process.kill(pid, 'SIGKILL');
      await new Promise<void>((resolve) =>
        page
          .context()
          .browser()
          ?.once('disconnected', () => resolve()),
      );
      return pid;
    });
    expect(await pool.withPage(browserPid)).not.toBe(killed);
  });

  it('leaves no scratch folder behind', async () => {
    pool = openPool();
    const before = new Set(scratchFolders());
    await pool.withPage((page) => page.setContent('x'));
    const own = scratchFolders().filter((name) => !before.has(name));
    expect(own).toHaveLength(1);
    await pool.close();
    expect(own.some((name) => existsSync(`${tmpdir()}/${name}`))).toBe(false);
    pool = openPool();
  });
});
