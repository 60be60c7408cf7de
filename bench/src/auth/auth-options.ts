import { parseArgs } from 'node:util';
import { wholeFlag } from '../whole-flag.js';

export interface AuthOptions {
  readonly rounds: number;
  /** Of each measured stretch, seconds. */
  readonly seconds: number;
  readonly tenants: number;
  /** Where the added latency is read: requests a second, spread evenly. */
  readonly perSecond: number;
  /** Connections that send as fast as they are answered. */
  readonly connections: number;
  readonly path: string;
}

/** Reads the command line; throws with the rule that a flag breaks. */
export function parseAuthOptions(args: readonly string[]): AuthOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '8' },
      tenants: { type: 'string', default: '100' },
      'per-second': { type: 'string', default: '300' },
      connections: { type: 'string', default: '32' },
      path: { type: 'string', default: '/v1/jobs' },
    },
  });
  return {
    rounds: wholeFlag('rounds', values.rounds, 1),
    seconds: wholeFlag('seconds', values.seconds, 1),
    tenants: wholeFlag('tenants', values.tenants, 1),
    perSecond: wholeFlag('per-second', values['per-second'], 1),
    connections: wholeFlag('connections', values.connections, 1),
    path: values.path,
  };
}
