import { parseArgs } from 'node:util';
import { wholeFlag } from '../whole-flag.js';

export interface ClusterGrowthOptions {
  readonly rounds: number;
  /** Fetcher processes of each cluster, smallest first. */
  readonly fetchers: readonly number[];
  /** Pages crawled for each fetcher there is, so that all clusters work about as long. */
  readonly pages: number;
  /** Pages one fetcher works on at once. */
  readonly concurrency: number;
  readonly latencyMs: number;
  /** Hosts the pages are on: their windows together must not be what bounds the crawl. */
  readonly hosts: number;
  /** Fetchers without browsers and with one content thread each, so that many fit on one machine. */
  readonly isThin: boolean;
  readonly roundTimeoutMs: number;
}

/** Reads the command line; throws with the rule that a flag breaks. */
export function parseGrowthOptions(args: readonly string[]): ClusterGrowthOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      fetchers: { type: 'string', default: '1,2,4' },
      pages: { type: 'string', default: '360' },
      concurrency: { type: 'string', default: '4' },
      'latency-ms': { type: 'string', default: '200' },
      hosts: { type: 'string', default: '8' },
      thin: { type: 'boolean', default: false },
      'timeout-seconds': { type: 'string', default: '600' },
    },
  });
  return {
    rounds: wholeFlag('rounds', values.rounds, 1),
    fetchers: fetcherCounts(values.fetchers),
    pages: wholeFlag('pages', values.pages, 1),
    concurrency: wholeFlag('concurrency', values.concurrency, 1),
    latencyMs: wholeFlag('latency-ms', values['latency-ms'], 0),
    hosts: wholeFlag('hosts', values.hosts, 1),
    isThin: values.thin,
    roundTimeoutMs: wholeFlag('timeout-seconds', values['timeout-seconds'], 1) * 1_000,
  };
}

function fetcherCounts(text: string): readonly number[] {
  const counts = text.split(',').map((part) => wholeFlag('fetchers', part, 1));
  return [...new Set(counts)].sort((a, b) => a - b);
}
