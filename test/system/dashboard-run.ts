import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import { startFixtureSite, until, type FixtureSite, type LogLine } from '@app/testing';
import { chromiumPath } from '../setup/test-servers.js';
import type { Service } from './deployment.js';

/** For whatever a browser is to do, on a busy machine too. */
const PATIENCE_MS = 60_000;

/** A person at the account page, and what went wrong in their browser. */
export interface DashboardVisit {
  readonly page: Page;
  /** Errors of scripts and of the console, and dialogs: there should be none. */
  readonly problems: readonly string[];
  /** Opens a page of the service by its path. */
  open(path: string): Promise<void>;
  signIn(key: string): Promise<void>;
  close(): Promise<void>;
}

/** The service with a site to scrape, and a real browser that visits its account page. */
export class DashboardRun<S extends Service = Service> {
  private constructor(
    readonly service: S,
    readonly site: FixtureSite,
    private readonly browser: Browser,
  ) {}

  static async start<S extends Service>(open: () => Promise<S>): Promise<DashboardRun<S>> {
    const site = await startFixtureSite();
    const service = await open().catch(async (error: unknown) => {
      await site.close();
      throw error;
    });
    const browser = await chromium.launch({
      executablePath: chromiumPath(),
      timeout: PATIENCE_MS,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    });
    return new DashboardRun(service, site, browser);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
    await this.site.close();
  }

  /** Somebody who is not signed in. */
  async visit(options: BrowserContextOptions = {}): Promise<DashboardVisit> {
    const context = await this.browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const problems = watchProblems(page);
    const { url } = this.service;
    const open = async (path: string): Promise<void> => {
      await page.goto(url + path);
    };
    return {
      page,
      problems,
      open,
      async signIn(key) {
        await open('/dashboard/sign-in');
        await page.getByLabel('API key').fill(key);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
        await page.waitForLoadState();
      },
      close: () => context.close(),
    };
  }

  /** The same for a visitor who is signed in, with the key of the deployment unless another is given. */
  async visitSignedIn(
    options: BrowserContextOptions = {},
    key = this.service.key,
  ): Promise<DashboardVisit> {
    const visit = await this.visit(options);
    await visit.signIn(key);
    return visit;
  }

  /** What browsers reported that they had to refuse on our pages. */
  cspReports(): readonly LogLine[] {
    return this.service.apiLog((line) => line.csp !== undefined);
  }

  /** A crawl of pages of the site that has ended. */
  async crawl(path: string, pages: number, more: object = {}): Promise<string> {
    const { client } = this.service;
    const { jobId } = await client.crawl({ url: this.site.url(path), maxPages: pages, ...more });
    await until(async () => (await client.job(jobId)).status === 'completed', {
      what: 'the end of the crawl',
      timeoutMs: 60_000,
    });
    return jobId;
  }
}

function watchProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // An error page of the dashboard has its status: browsers log it as a failed load.
    const isRefusedPage =
      /status of 4\d\d/.test(message.text()) && message.location().url === page.url();
    if (message.type() === 'error' && !isRefusedPage) problems.push(`console: ${message.text()}`);
  });
  return problems;
}
