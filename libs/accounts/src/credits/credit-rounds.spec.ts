import type { Runtime } from '@app/runtime';
import type { Statement } from '@app/database';
import { Metrics } from '@app/telemetry';
import { CreditRounds } from './credit-rounds.js';

const MINUTE_MS = 60_000;

describe('the rounds of credits', () => {
  let metrics: Metrics;
  let answers: Record<string, (values: readonly unknown[]) => unknown[]>;
  let logged: unknown[];
  let nowMs: number;
  let rounds: CreditRounds;

  beforeEach(() => {
    metrics = new Metrics();
    answers = {};
    logged = [];
    nowMs = 0;
    const query = async ({ name }: Statement, values: readonly unknown[] = []) =>
      answers[name]?.(values) ?? [];
    const database = {
      query,
      transaction: (work: (tx: unknown) => unknown) => work({ query: () => ({ rows: [] }) }),
    };
    const log = { error: (what: unknown) => logged.push(what) };
    rounds = new CreditRounds({ database, metrics, log } as unknown as Runtime, () => nowMs);
  });

  const valueOf = async (metric: { get(): Promise<{ values: { value: number }[] }> }) =>
    (await metric.get()).values.reduce((sum, { value }) => sum + value, 0);

  it('release expired reservations, and run again at once when there may be more', async () => {
    let expired = Array.from({ length: 500 }, (_, n) => ({ id: n, tenantId: 't' }));
    answers = {
      expired_credit_holds: () => expired,
      expire_credit_hold: () => [{ wasReserved: true, returned: 2 }],
      count_credit_holds: () => [{ holds: 7 }],
    };
    expect(await rounds.releaseExpired()).toBe(0);
    expect(await valueOf(metrics.creditsRefunded)).toBe(1_000);
    expect(await valueOf(metrics.creditReservations)).toBe(7);
    expired = [];
    expect(await rounds.releaseExpired()).toBeNull();
    expect(await valueOf(metrics.creditsRefunded)).toBe(1_000);
  });

  it('report differences for half an hour, and log them', async () => {
    const drift = {
      tenantId: 't',
      period: '2026-11',
      grantLeft: -3,
      toppedUp: 1,
      overage: 0,
      granted: 0,
    };
    answers = { compare_credit_balances: () => [drift] };
    await rounds.reconcile();
    expect([await valueOf(metrics.creditDrift), logged]).toEqual([4, [{ drift }]]);
    answers = { check_closed_periods: () => [{ tenantId: 't', period: '2026-10', drift: -5 }] };
    nowMs = 10 * MINUTE_MS;
    await rounds.reconcile();
    expect([await valueOf(metrics.creditDrift), logged.length]).toEqual([9, 2]);
    answers = {};
    for (const [minute, told] of [
      [29, 9],
      [31, 5],
      [41, 0],
    ] as const) {
      nowMs = minute * MINUTE_MS;
      await rounds.reconcile();
      expect([minute, await valueOf(metrics.creditDrift)]).toEqual([minute, told]);
    }
  });
});
