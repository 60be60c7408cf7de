import { createInterface } from 'node:readline';

/**
 * What a contender's own process and the harness say to each other, so that start-up is timed
 * apart.
 */
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
  /** Which kind of itself the contender is to be; '' for one of a single kind. */
  readonly mode: string;
}

/** A crawl that is ready to begin. Gives what each page took, where it knows. */
export type BatchCrawl = () => Promise<readonly number[] | void>;

/** Body of a batch contender's process: prepares, crawls on request, ends when measured. */
export async function runBatch(
  prepare: (args: BatchArguments) => Promise<BatchCrawl> | BatchCrawl,
): Promise<void> {
  const [siteUrl = '', outDir = '', concurrency = '16', mode = ''] = process.argv.slice(2);
  const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const crawl = await prepare({ siteUrl, outDir, concurrency: Number(concurrency), mode });
  console.log(BATCH_WORDS.ready);
  await orders.next();
  const latenciesMs = (await crawl()) ?? [];
  console.log(`${BATCH_WORDS.done} ${JSON.stringify(latenciesMs)}`);
  await orders.next();
  process.exit(0);
}

/** One file name per path. */
export function fileNameFor(pathname: string): string {
  return `${pathname === '/' ? 'index' : pathname.replace(/[^a-z0-9]+/gi, '_')}.md`;
}
