// The floor: fetch, our own extraction, a file per page; no queue, no database, no robots, one thread.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { extractPage } from '@app/content';
import { Pool } from 'undici';
import { type BatchArguments, fileNameFor, runBatch } from './batch-signals.js';

async function crawl({ siteUrl, outDir, concurrency }: BatchArguments): Promise<void> {
  const { origin } = new URL(siteUrl);
  const pool = new Pool(origin, { connections: concurrency });
  const seen = new Set(['/']);
  const queue = ['/'];

  async function takePage(pathname: string): Promise<void> {
    const { body, headers } = await pool.request({ path: pathname, method: 'GET' });
    const page = extractPage(
      {
        body: await body.bytes(),
        contentType: String(headers['content-type']),
        url: origin + pathname,
      },
      { markdown: true, links: true, rawHtml: false },
    );
    await writeFile(path.join(outDir, fileNameFor(pathname)), page.markdown ?? '');
    for (const link of page.links ?? []) admit(link);
  }

  function admit(link: string): void {
    if (!link.startsWith(`${origin}/`)) return;
    const pathname = link.slice(origin.length);
    if (pathname.startsWith('/private/') || seen.has(pathname)) return;
    seen.add(pathname);
    queue.push(pathname);
  }

  let busy = 0;
  await new Promise<void>((resolve, reject) => {
    const pump = (): void => {
      if (busy === 0 && queue.length === 0) resolve();
      for (let next = takeNext(); next !== undefined; next = takeNext()) {
        busy++;
        takePage(next).then(() => {
          busy--;
          pump();
        }, reject);
      }
    };
    const takeNext = (): string | undefined => (busy < concurrency ? queue.shift() : undefined);
    pump();
  });
  await pool.close();
}

void runBatch((args) => () => crawl(args));
