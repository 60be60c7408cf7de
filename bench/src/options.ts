import { parseArgs } from 'node:util';
import { wholeFlag } from './whole-flag.js';

/** What is measured: pages that come as they are, or pages that a script makes. */
export const SUITES = {
  crawl: {
    contenders: ['crawlee', 'scrapy', 'scrapy-native', 'trawl', 'trawl-embedded', 'bare'],
    pages: 300,
    concurrency: 16,
  },
  rendered: {
    contenders: ['crawlee-playwright', 'crawlee-incognito', 'trawl-scrape', 'trawl-crawl'],
    pages: 60,
    concurrency: 4,
  },
} as const;

export type SuiteName = keyof typeof SUITES;
export type ContenderName = (typeof SUITES)[SuiteName]['contenders'][number];

export interface BenchOptions {
  readonly suite: SuiteName;
  readonly rounds: number;
  readonly pages: number;
  readonly only: readonly ContenderName[];
  /** Pages each contender works on at once. */
  readonly concurrency: number;
  /** Fetcher processes of the cluster. */
  readonly fetchers: number;
  /** Delay of every fixture answer. */
  readonly latencyMs: number;
  /** CPU profiles into `.cache/bench/profiles`. */
  readonly profile: boolean;
  /** Starts Trawl anew for each round, so that it is as cold as the others. */
  readonly fresh: boolean;
  readonly roundTimeoutMs: number;
}

/** Reads the command line; throws with the rule that a flag breaks. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string', default: 'crawl' },
      rounds: { type: 'string', default: '3' },
      pages: { type: 'string' },
      only: { type: 'string' },
      concurrency: { type: 'string' },
      fetchers: { type: 'string', default: '1' },
      'latency-ms': { type: 'string', default: '0' },
      'timeout-seconds': { type: 'string', default: '600' },
      profile: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
    },
  });
  const suite = suiteName(values.suite);
  const { contenders, pages, concurrency } = SUITES[suite];
  return {
    suite,
    rounds: wholeFlag('rounds', values.rounds, 1),
    pages: wholeFlag('pages', values.pages ?? String(pages), 1),
    only: (values.only?.split(',') ?? contenders).map((name) => contenderName(suite, name)),
    concurrency: wholeFlag('concurrency', values.concurrency ?? String(concurrency), 1),
    fetchers: wholeFlag('fetchers', values.fetchers, 1),
    latencyMs: wholeFlag('latency-ms', values['latency-ms'], 0),
    profile: values.profile,
    fresh: values.fresh,
    roundTimeoutMs: wholeFlag('timeout-seconds', values['timeout-seconds'], 1) * 1_000,
  };
}

function suiteName(text: string): SuiteName {
  if (text === 'crawl' || text === 'rendered') return text;
  throw new Error(`--suite: there is no '${text}', only ${Object.keys(SUITES).join(', ')}`);
}

function contenderName(suite: SuiteName, text: string): ContenderName {
  const { contenders } = SUITES[suite];
  const known = contenders.find((name) => name === text);
  if (known !== undefined) return known;
  throw new Error(`--only: there is no '${text}', only ${contenders.join(', ')}`);
}
