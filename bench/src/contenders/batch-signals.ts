import { createInterface } from 'node:readline';

/** What a contender's own process and the harness say to each other, so that start-up is timed apart. */
export const BATCH_WORDS = {
  ready: 'bench-ready',
  go: 'bench-go',
  done: 'bench-done',
  end: 'bench-end',
};

export interface BatchArguments {
  readonly siteUrl: string;
  readonly outDir: string;
  readonly concurrency: number;
}

/** Body of a batch contender's process: says it is ready, crawls when told, ends when measured. */
export async function runBatch(crawl: (args: BatchArguments) => Promise<void>): Promise<void> {
  const [siteUrl = '', outDir = '', concurrency = '16'] = process.argv.slice(2);
  const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  console.log(BATCH_WORDS.ready);
  await orders.next();
  await crawl({ siteUrl, outDir, concurrency: Number(concurrency) });
  console.log(BATCH_WORDS.done);
  await orders.next();
  process.exit(0);
}

/** One file name per path. */
export function fileNameFor(pathname: string): string {
  return `${pathname === '/' ? 'index' : pathname.replace(/[^a-z0-9]+/gi, '_')}.md`;
}
