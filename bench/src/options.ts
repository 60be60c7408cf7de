import { parseArgs } from 'node:util';

export const CONTENDER_NAMES = ['crawlee', 'trawl', 'trawl-embedded', 'bare'] as const;
export type ContenderName = (typeof CONTENDER_NAMES)[number];

export interface BenchOptions {
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
      rounds: { type: 'string', default: '3' },
      pages: { type: 'string', default: '300' },
      only: { type: 'string', default: CONTENDER_NAMES.join(',') },
      concurrency: { type: 'string', default: '16' },
      fetchers: { type: 'string', default: '1' },
      'latency-ms': { type: 'string', default: '0' },
      'timeout-seconds': { type: 'string', default: '600' },
      profile: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
    },
  });
  return {
    rounds: whole('rounds', values.rounds, 1),
    pages: whole('pages', values.pages, 1),
    only: values.only.split(',').map(contenderName),
    concurrency: whole('concurrency', values.concurrency, 1),
    fetchers: whole('fetchers', values.fetchers, 1),
    latencyMs: whole('latency-ms', values['latency-ms'], 0),
    profile: values.profile,
    fresh: values.fresh,
    roundTimeoutMs: whole('timeout-seconds', values['timeout-seconds'], 1) * 1_000,
  };
}

function whole(name: string, text: string, min: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= min) return number;
  throw new Error(`--${name} must be a whole number from ${min}, not '${text}'`);
}

function contenderName(text: string): ContenderName {
  const known = CONTENDER_NAMES.find((name) => name === text);
  if (known !== undefined) return known;
  throw new Error(`--only: there is no '${text}', only ${CONTENDER_NAMES.join(', ')}`);
}
