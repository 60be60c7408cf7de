// crawlee as its users run it for pages that a script makes: PlaywrightCrawler, turndown, a file
// per page. It knows how to see that a page of this site is ready; storage in memory, no sessions,
// no fingerprints: its faster settings.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  Configuration,
  PlaywrightCrawler,
  type PlaywrightCrawlingContext,
} from '@crawlee/playwright';
import { type BatchArguments, type BatchCrawl, fileNameFor, runBatch } from './batch-signals.js';
import { makeTurndown } from './turndown.js';
import { warmUpUrls, pageUrls } from '../rendered/site-urls.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--disable-dev-shm-usage',
];
const READY_TIMEOUT_MS = 60_000;

/** Counts pages in, so that one can wait for the last. */
class Countdown {
  private left = 0;
  private onEnd: () => void = () => undefined;

  start(pages: number): Promise<void> {
    this.left = pages;
    return new Promise((resolve) => {
      this.onEnd = resolve;
    });
  }

  tick(): void {
    if (--this.left === 0) this.onEnd();
  }
}

async function prepare(args: BatchArguments): Promise<BatchCrawl> {
  const { siteUrl, concurrency } = args;
  const countdown = new Countdown();
  const latenciesMs: number[] = [];
  const crawler = makeCrawler(args, countdown, latenciesMs);
  const urls = await pageUrls(siteUrl);
  const warmUps = warmUpUrls(urls, concurrency);
  const isWarm = countdown.start(warmUps.length);
  crawler.run([...warmUps]).catch(fail);
  await isWarm;
  latenciesMs.length = 0;
  return async () => {
    const isDone = countdown.start(urls.length);
    await crawler.addRequests([...urls]);
    await isDone;
    return latenciesMs;
  };
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}

function makeCrawler(
  { outDir, concurrency, mode }: BatchArguments,
  countdown: Countdown,
  latenciesMs: number[],
): PlaywrightCrawler {
  const turndown = makeTurndown();
  const startedAtMs = new Map<string, number>();
  const onPage = async ({ page, request }: PlaywrightCrawlingContext): Promise<void> => {
    await page.waitForSelector('html[data-ready]', {
      state: 'attached',
      timeout: READY_TIMEOUT_MS,
    });
    const markdown = turndown.turndown(await page.content());
    await writeFile(path.join(outDir, fileNameFor(new URL(request.url).pathname)), markdown);
    const startMs = startedAtMs.get(crawler.browserPool.getPageId(page) ?? '') ?? Number.NaN;
    latenciesMs.push(Math.round(performance.now() - startMs));
    countdown.tick();
  };
  const crawler: PlaywrightCrawler = new PlaywrightCrawler(
    {
      keepAlive: true,
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
      maxRequestRetries: 1,
      headless: true,
      // A used-up session would also cost it its browser.
      useSessionPool: false,
      persistCookiesPerSession: false,
      browserPoolOptions: {
        useFingerprints: false,
        prePageCreateHooks: [(pageId) => void startedAtMs.set(pageId, performance.now())],
      },
      launchContext: {
        useIncognitoPages: mode === 'incognito',
        launchOptions: { executablePath: process.env['CHROMIUM_PATH'], args: FLAGS },
      },
      preNavigationHooks: [
        (_, goto) => {
          if (goto) goto.waitUntil = 'commit';
        },
      ],
      requestHandler: onPage as never,
      failedRequestHandler: () => countdown.tick(),
    },
    new Configuration({
      persistStorage: false,
      logLevel: 'ERROR' as never,
      availableMemoryRatio: 0.5,
    }),
  );
  return crawler;
}

void runBatch(prepare);
