import { parseArgs } from 'node:util';
import { wholeFlag } from '../whole-flag.js';

export interface BrokerOptions {
  readonly pages: number;
  readonly fetchers: number;
  /** Pages one fetcher works on at once. */
  readonly concurrency: number;
  readonly latencyMs: number;
  /** Pause between two samples of the broker's memory and queue. */
  readonly sampleMs: number;
  /** Pause between two reports of the broker itself, each of which starts a program. */
  readonly reportMs: number;
  readonly roundTimeoutMs: number;
}

/** Reads the command line; throws with the rule that a flag breaks. */
export function parseBrokerOptions(args: readonly string[]): BrokerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      pages: { type: 'string', default: '10000' },
      fetchers: { type: 'string', default: '1' },
      concurrency: { type: 'string', default: '16' },
      'latency-ms': { type: 'string', default: '0' },
      'sample-ms': { type: 'string', default: '500' },
      'report-ms': { type: 'string', default: '10000' },
      'timeout-seconds': { type: 'string', default: '1800' },
    },
  });
  return {
    pages: wholeFlag('pages', values.pages, 1),
    fetchers: wholeFlag('fetchers', values.fetchers, 1),
    concurrency: wholeFlag('concurrency', values.concurrency, 1),
    latencyMs: wholeFlag('latency-ms', values['latency-ms'], 0),
    sampleMs: wholeFlag('sample-ms', values['sample-ms'], 50),
    reportMs: wholeFlag('report-ms', values['report-ms'], 1_000),
    roundTimeoutMs: wholeFlag('timeout-seconds', values['timeout-seconds'], 1) * 1_000,
  };
}
