import { parseArgs } from 'node:util';
import { wholeFlag } from '../whole-flag.js';

export interface TechOptions {
  readonly rounds: number;
  /** An operator's file or folder of fingerprints to measure as well; null for none. */
  readonly data: string | null;
  /** Without the detector from npm, whose hostile pages take minutes. */
  readonly alone: boolean;
}

/** Reads the command line; throws with the rule that a flag breaks. */
export function parseTechOptions(args: readonly string[]): TechOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string', default: 'tech' },
      rounds: { type: 'string', default: '5' },
      data: { type: 'string' },
      alone: { type: 'boolean', default: false },
    },
  });
  return {
    rounds: wholeFlag('rounds', values.rounds, 1),
    data: values.data ?? null,
    alone: values.alone,
  };
}
