import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
    pool = openPool();
    const failure = await pool.withPage((page) =>
      page.goto('http://127.0.0.1:1/', { timeout: 10_000 }).catch((error: Error) => error.message),
    );
    expect(failure).toContain('ERR_PROXY_CONNECTION_FAILED');
  });

  it('replaces a browser after its pages, and one that crashed', async () => {
    pool = openPool({ maxPagesPerBrowser: 1 });
    const pidOf = () =>
      pool.withPage(async (page) =>
        (await page.context().browser()?.newBrowserCDPSession())?.send('SystemInfo.getProcessInfo'),
      );
    const browserPid = (info: Awaited<ReturnType<typeof pidOf>>) =>
      info?.processInfo.find((one) => one.type === 'browser')?.id;
    const first = browserPid(await pidOf());
    const second = browserPid(await pidOf());
    expect(first).toBeDefined();
    expect(second).not.toBe(first);
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
