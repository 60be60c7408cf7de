// crawlee as its users run it for this job: CheerioCrawler, turndown with tables, a file per page.
// Storage in memory and sessions off: its faster setting.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CheerioCrawler, Configuration } from '@crawlee/cheerio';
import { type BatchArguments, fileNameFor, runBatch } from './batch-signals.js';
import { makeTurndown } from './turndown.js';

async function crawl({ siteUrl, outDir, concurrency }: BatchArguments): Promise<void> {
  const turndown = makeTurndown();
  const crawler = new CheerioCrawler(
    {
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
      maxRequestRetries: 1,
      useSessionPool: false,
      persistCookiesPerSession: false,
      async requestHandler({ request, body, enqueueLinks }) {
        const { pathname } = new URL(request.loadedUrl);
        const markdown = turndown.turndown(String(body));
        await writeFile(path.join(outDir, fileNameFor(pathname)), markdown);
        await enqueueLinks({ strategy: 'same-hostname', exclude: [/\/private\//] });
      },
    },
    new Configuration({
      persistStorage: false,
      logLevel: 'ERROR' as never,
      availableMemoryRatio: 0.5,
    }),
  );
  await crawler.run([siteUrl]);
}

void runBatch((args) => () => crawl(args));
