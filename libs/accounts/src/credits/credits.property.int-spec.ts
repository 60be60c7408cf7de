import fc from 'fast-check';
import { newId, PLANS, type Plan } from '@app/contracts';
import { CREDIT_POOLS, type CreditPool } from './credit-costs.js';
import { CreditModel } from '../../test/credit-model.js';
import { CreditFixture } from '../../test/credit-fixture.js';
import { releaseExpiredReservations } from './settle-credits.js';
import type { CreditTenant } from './credit-terms.js';
import { grantCredits } from './grant-credits.js';
import { settleJobCredits, reserveJobCredits } from './job-credits.js';
import { setPayment, setPlan, type CreditPayment } from './set-plan.js';
import { isFullRun } from '../../../../test/setup/full-run.js';

const BEGIN_MS = Date.parse('2026-11-29T20:00:00Z');
const HOUR_MS = 3_600_000;
const LIFE_MS = 2 * HOUR_MS;
/** References that calls and their repeats share; those of odd slots draw on the enrich pool first. */
const SLOTS = 6;
const isEnrichSlot = (at: number): boolean => at % 2 === 1;
const RUNS = isFullRun ? 60 : 15;

const slot = fc.nat(SLOTS - 1);
const few = fc.integer({ min: 1, max: 7 });
/** Large ones empty the enrich pool, of which every plan grants a thousand and more. */
const some = fc.oneof(
  { arbitrary: few, weight: 4 },
  { arbitrary: fc.constantFrom(300, 995, 4_998), weight: 1 },
);
const payment = fc.constantFrom<CreditPayment>('confirmed', 'confirmed', 'pending', 'failed');

type Step =
  | { readonly kind: 'open' | 'close'; readonly slot: number; readonly credits: number }
  | { readonly kind: 'job'; readonly pages: number }
  | { readonly kind: 'page' | 'end'; readonly job: number }
  | {
      readonly kind: 'top up';
      readonly slot: number;
      readonly credits: number;
      readonly pool: CreditPool;
    }
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      readonly agreed: number | null;
      readonly payment: CreditPayment;
    }
  | { readonly kind: 'payment'; readonly payment: CreditPayment }
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'sweep' };

const of = <K extends Step['kind'], R extends object>(
  kind: K,
  rest: { [F in keyof R]: fc.Arbitrary<R[F]> },
) => fc.record<{ kind: K } & R>({ kind: fc.constant(kind), ...rest } as never);

/** A process that dies is a call that is opened and never closed. */
const step = fc.oneof(
  { arbitrary: of('open', { slot, credits: some }), weight: 8 },
  {
    arbitrary: of('close', { slot, credits: fc.oneof(fc.nat(8), fc.constantFrom(299, 997)) }),
    weight: 8,
  },
  { arbitrary: of('job', { pages: few }), weight: 2 },
  { arbitrary: of('page', { job: slot }), weight: 4 },
  { arbitrary: of('end', { job: slot }), weight: 2 },
  {
    arbitrary: of('top up', { slot, credits: few, pool: fc.constantFrom(...CREDIT_POOLS) }),
    weight: 2,
  },
  {
    arbitrary: of('plan', {
      plan: fc.constantFrom(...PLANS),
      // Small, so that it runs out; without one there are a thousand and more, or no bound.
      agreed: fc.option(fc.nat(20), { freq: 6 }),
      payment,
    }),
    weight: 1,
  },
  { arbitrary: of('payment', { payment }), weight: 1 },
  { arbitrary: of('wait', { hours: fc.constantFrom(1, 3, 30, 800) }), weight: 3 },
  { arbitrary: of('sweep', {}), weight: 2 },
) as fc.Arbitrary<Step>;

interface Job {
  readonly id: string;
  readonly held: number;
  pages: number;
  isOver: boolean;
}

/** One run: each step on the database and on the model. */
class Run {
  private readonly chargeIds = Array.from({ length: SLOTS }, () => newId());
  private readonly payments = Array.from({ length: SLOTS }, () => newId());
  private readonly jobs: Job[] = [];
  readonly model = new CreditModel(BEGIN_MS);

  constructor(
    private readonly fixture: CreditFixture,
    private readonly tenantId: string,
  ) {}

  private get now(): Date {
    return new Date(this.model.nowMs);
  }

  private get tenant(): CreditTenant {
    const { plan, agreed } = this.model;
    return { id: this.tenantId, plan, agreed: { monthlyCredits: agreed } };
  }

  async take(one: Step): Promise<void> {
    const { model, fixture, now, tenantId } = this;
    switch (one.kind) {
      case 'open':
        return this.open(one.slot, one.credits);
      case 'close':
        return this.close(one.slot, one.credits);
      case 'job':
        return this.begin(one.pages);
      case 'page':
        return this.page(this.jobs[one.job]);
      case 'end':
        return this.end(this.jobs[one.job]);
      case 'top up': {
        const reference = this.payments[one.slot] ?? '';
        const { credits, pool } = one;
        model.addTopUp(reference, credits, pool);
        await grantCredits(fixture.database, { tenantId, credits, reference, pool, now });
        return;
      }
      case 'plan':
        model.setPlan(one.plan, one.agreed, one.payment);
        await fixture.agree(tenantId, one.agreed);
        await setPlan(fixture.database, { tenantId, plan: one.plan, payment: one.payment, now });
        return;
      case 'payment':
        model.setPayment(one.payment);
        await setPayment(fixture.database, { tenantId, payment: one.payment, now });
        return;
      case 'wait':
        model.nowMs += one.hours * HOUR_MS;
        return;
      case 'sweep':
        model.sweep();
        await releaseExpiredReservations(fixture.database, { limit: 1_000, now });
        return;
    }
  }

  private callOf(at: number) {
    const isEnrich = isEnrichSlot(at);
    const operation = isEnrich ? 'enrich' : 'scrape';
    const call = { chargeId: this.chargeIds[at] ?? '', operation, now: this.now } as const;
    return { call, options: { lifeMs: LIFE_MS, isEnrich } };
  }

  private async open(at: number, credits: number): Promise<void> {
    const { call, options } = this.callOf(at);
    const told = this.model.reserve(call.chargeId, credits, options);
    const opened = await this.fixture.reserveCredits(this.tenant, {
      ...call,
      credits,
      lifeMs: LIFE_MS,
    });
    expect(opened).toMatchObject(told);
  }

  private async close(at: number, credits: number): Promise<void> {
    const { call, options } = this.callOf(at);
    // A late settlement reserves again, with the same lifetime as any call.
    const charged = this.model.settle(call.chargeId, credits, options);
    const closed = await this.fixture.settleCredits(this.tenant, { ...call, credits });
    expect(closed.charged).toBe(charged);
    if (this.model.hasBalance && !this.model.isUnlimited)
      expect(closed.remaining).toBe(this.model.left(options.isEnrich));
  }

  private async begin(pages: number): Promise<void> {
    const id = newId();
    const held = this.model.reserveJob(id, pages);
    const opened = await this.fixture.database.transaction((tx) =>
      reserveJobCredits(tx, {
        ...{ tenant: this.tenant, chargeId: id, operation: 'crawl', credits: pages },
        now: this.now,
      }),
    );
    expect(opened.kind === 'open' ? opened.credits : null).toBe(held);
    const isHeld = opened.kind === 'open' && opened.isReserved;
    if (isHeld) this.jobs.push({ id, held: held ?? 0, pages: 0, isOver: false });
  }

  private async page(job: Job | undefined): Promise<void> {
    if (!job || job.isOver || job.pages >= job.held) return;
    job.pages++;
    await this.fixture.page(this.tenantId, job.id, this.now);
  }

  private async end(job: Job | undefined): Promise<void> {
    if (!job) return;
    job.isOver = true;
    this.model.settleJob(job.id, job.pages);
    await this.fixture.database.transaction((tx) =>
      settleJobCredits(tx, { tenantId: this.tenantId, chargeId: job.id, now: this.now }),
    );
  }

  async compare(): Promise<void> {
    const { period, granted, grant, topup, overage, payment, hasBalance } = this.model;
    const row = await this.fixture.balance(this.tenantId);
    if (!hasBalance) return expect(row).toBeUndefined();
    expect(row).toEqual({
      ...{ period, granted, grantLeft: grant, topupLeft: topup, overage, payment },
    });
    const { enrichGrant, enrichTopup, enrichGranted, kybGrant, kybTopup, kybGranted } = this.model;
    const month = period !== '0000-00';
    expect(await this.fixture.pools(this.tenantId)).toEqual({
      enrich: [enrichGrant, enrichTopup, month ? enrichGranted : null],
      kyb: [kybGrant, kybTopup, month ? kybGranted : null],
    });
    if (this.model.plan === 'free' && granted !== null)
      expect(grant + topup).toBeGreaterThanOrEqual(0);
  }

  /**
   * At the end: every charge is as returned, months are closed correctly, and the credit ledger adds up.
   */
  async conclude(): Promise<void> {
    for (const [chargeId, credits] of this.model.charged)
      expect(await this.fixture.spent(chargeId)).toBe(credits);
    const pages = this.jobs.reduce((sum, job) => sum + job.pages, 0);
    const calls = [...this.model.charged.values()].reduce((sum, credits) => sum + credits, 0);
    expect(await this.fixture.spentBy(this.tenantId)).toBe(calls + pages);
    const closed = await this.fixture.sql<{ period: string }>(
      `SELECT period, grant_left::float8 AS grant, overage_used::float8 AS overage,
              enrich_grant_left::float8 AS "enrichGrant", kyb_grant_left::float8 AS "kybGrant" FROM credit_periods
       WHERE tenant_id = $1 AND closed_at IS NOT NULL`,
      [this.tenantId],
    );
    expect(new Map(closed.map(({ period, ...rest }) => [period, rest]))).toEqual(this.model.closed);
  }
}

describe('credits, in any sequence of operations', () => {
  let fixture: CreditFixture;
  beforeAll(async () => {
    fixture = await CreditFixture.open();
  });
  afterAll(() => fixture?.close());

  it('match a plain model, step by step, and the credit ledger adds up', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const run = new Run(fixture, (await fixture.tenant('free')).id);
        for (const one of all) {
          await run.take(one);
          await run.compare();
        }
        await run.conclude();
        expect(await fixture.audit()).toEqual([]);
      }),
      { numRuns: RUNS, seed: 20_261_122, endOnFailure: false },
    );
  });
});
