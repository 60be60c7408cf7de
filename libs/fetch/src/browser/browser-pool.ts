import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPool, type Pool } from 'generic-pool';
import { chromium, type Browser, type Page } from 'playwright';
import { chromiumFlags } from './chromium-flags.js';

export interface BrowserPoolOptions {
  readonly executablePath: string;
  /** Address of the filtering proxy, the browsers' only way out. */
  readonly proxy: string;
  readonly sandbox: boolean;
  readonly maxBrowsers: number;
  /** Pages a browser opens before it is replaced. */
  readonly maxPagesPerBrowser: number;
  readonly launchTimeoutMs: number;
}

interface PooledBrowser {
  readonly browser: Browser;
  readonly scratch: string;
  pages: number;
}

/**
 * Chromium processes, one task at a time each, with a fresh context per task: cookies, storage and
 * cache never cross. A browser that crashed, or has served its pages, is replaced; its scratch
 * folder goes with it.
 */
export class BrowserPool {
  private readonly pool: Pool<PooledBrowser>;

  constructor(private readonly options: BrowserPoolOptions) {
    this.pool = createPool(
      {
        create: () => this.launch(),
        destroy: closeBrowser,
        validate: async ({ browser, pages }) =>
          browser.isConnected() && pages < options.maxPagesPerBrowser,
      },
      {
        max: options.maxBrowsers,
        testOnBorrow: true,
        acquireTimeoutMillis: options.launchTimeoutMs * 2,
      },
    );
  }

  /** Runs `work` on a page of its own; page and context are closed on every way out. */
  async withPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
    return this.pool.use(async (pooled) => {
      pooled.pages++;
      const context = await pooled.browser.newContext({
        acceptDownloads: false,
        serviceWorkers: 'block',
      });
      try {
        return await work(await context.newPage());
      } finally {
        // A crashed browser has closed its contexts already.
        await context.close().catch(() => undefined);
      }
    });
  }

  async close(): Promise<void> {
    await this.pool.drain();
    await this.pool.clear();
  }

  private async launch(): Promise<PooledBrowser> {
    const { executablePath, proxy, sandbox, launchTimeoutMs } = this.options;
    const scratch = await mkdtemp(path.join(tmpdir(), 'trawl-browser-'));
    try {
      const browser = await chromium.launch({
        executablePath,
        args: chromiumFlags({ proxy, sandbox }),
        chromiumSandbox: sandbox,
        timeout: launchTimeoutMs,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        env: { TMPDIR: scratch, HOME: scratch },
      });
      return { browser, scratch, pages: 0 };
    } catch (error) {
      await rm(scratch, { recursive: true, force: true });
      throw error;
    }
  }
}

async function closeBrowser({ browser, scratch }: PooledBrowser): Promise<void> {
  // Already gone when it crashed.
  await browser.close().catch(() => undefined);
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
}
