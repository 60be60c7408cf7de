import { BackgroundLoop, type Loop, type LoopGroup, type Runtime } from '@app/runtime';
import { CreditRounds } from './credits/credit-rounds.js';
import { sweepDailyQuotas, utcDay } from './limits/daily-quota.js';
import { sweepSessions } from './sessions/account-sessions.js';
import { sweepSignInRequests } from './sessions/sign-in-requests.js';
import { sweepSignInLinks } from './sessions/sign-in-links.js';

const SWEEP_BATCH = 500;
const DAY_MS = 86_400_000;

/** The background work on accounts: credits, limits, sessions. */
export function openAccountLoops(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>,
): LoopGroup {
  const { database, log } = runtime;
  const credits = new CreditRounds(runtime);
  const loops: readonly Loop[] = [
    { name: 'credit holds', intervalMs: 10_000, round: () => credits.releaseExpired() },
    { name: 'reconcile', intervalMs: 60_000, round: () => credits.reconcile() },
    { name: 'usage', intervalMs: 30_000, round: () => credits.rollUp() },
    { name: 'account sweep', intervalMs: 60_000, round: () => sweep(database) },
  ];
  return {
    loops: loops.map((loop) => new BackgroundLoop({ ...loop, log })),
    abort: () => undefined,
    close: async () => undefined,
  };
}

/** Deletes counts of past days, and sessions and sign-in links that have expired. */
async function sweep(database: Runtime['database']): Promise<null> {
  const yesterday = new Date(Date.now() - DAY_MS);
  await sweepDailyQuotas(database, { beforeDay: utcDay(yesterday), limit: SWEEP_BATCH });
  await sweepSessions(database, { limit: SWEEP_BATCH });
  await sweepSignInLinks(database, { limit: SWEEP_BATCH });
  await sweepSignInRequests(database, { limit: SWEEP_BATCH });
  return null;
}
