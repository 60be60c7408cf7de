import type { Plan } from '@app/contracts';
import type { CreditPool } from '../src/credits/credit-costs.js';
import { creditTerms } from '../src/credits/credit-terms.js';
import type { CreditPayment } from '../src/credits/set-plan.js';

interface Reservation {
  readonly period: string;
  readonly parts: Parts;
  /** Null: of a job. */
  readonly expiresAtMs: number | null;
}

interface Parts {
  readonly enrichGrant: number;
  readonly enrichTopup: number;
  readonly grant: number;
  readonly topup: number;
  readonly overage: number;
}

/** In the order they are drawn on. */
const PARTS = ['enrichGrant', 'enrichTopup', 'grant', 'topup', 'overage'] as const;
const total = (parts: Parts): number => PARTS.reduce((sum, part) => sum + parts[part], 0);

export interface ReserveOptions {
  readonly lifeMs: number;
  /** The operation draws on the enrich pool first. */
  readonly isEnrich: boolean;
}

/** The answer to a call, as far as the model knows it. */
export type ModelAnswer =
  | { readonly kind: 'open'; readonly remaining?: number }
  | { readonly kind: 'refused'; readonly balance: number };

/**
 * Credits of one tenant in the simplest form: no locks, no entries, one step after another. The
 * database is compared with it.
 */
export class CreditModel {
  plan: Plan = 'free';
  agreed: number | null = null;
  payment: CreditPayment = 'confirmed';
  period = '0000-00';
  granted: number | null = null;
  grant = 0;
  topup = 0;
  overage = 0;
  enrichGranted = 0;
  enrichGrant = 0;
  enrichTopup = 0;
  kybGranted = 0;
  kybGrant = 0;
  kybTopup = 0;
  readonly reservations = new Map<string, Reservation>();
  /** By charge id. */
  readonly charged = new Map<string, number>();
  /** Remaining credits of past months. */
  readonly closed = new Map<
    string,
    { grant: number; overage: number; enrichGrant: number; kybGrant: number }
  >();
  readonly topUps = new Set<string>();
  hasBalance = false;

  constructor(public nowMs: number) {}

  private get terms() {
    const agreed = { monthlyCredits: this.agreed };
    return creditTerms({ id: '', plan: this.plan, agreed });
  }

  get isUnlimited(): boolean {
    return this.terms.monthlyCredits === null;
  }

  reserve(chargeId: string, credits: number, { lifeMs, isEnrich }: ReserveOptions): ModelAnswer {
    if (this.isUnlimited || this.reservations.has(chargeId) || this.charged.has(chargeId))
      return { kind: 'open' };
    this.turn();
    const left = this.left(isEnrich);
    const mayOverrun = this.terms.mayOverrun && this.payment === 'confirmed';
    if (credits > left && !mayOverrun) return { kind: 'refused', balance: left };
    this.take(chargeId, credits, { expiresAtMs: this.nowMs + lifeMs, isEnrich });
    return { kind: 'open', remaining: this.left(isEnrich) };
  }

  /** Prepaid credits an operation may draw on. */
  left(isEnrich: boolean): number {
    return this.grant + this.topup + (isEnrich ? this.enrichGrant + this.enrichTopup : 0);
  }

  /** Returns the charged credits. */
  settle(chargeId: string, credits: number, options: ReserveOptions): number {
    if (this.isUnlimited) return credits === 0 ? 0 : this.charge(chargeId, credits);
    const reservation = this.reservations.get(chargeId);
    if (reservation) {
      const spent =
        credits === 0 ? 0 : this.charge(chargeId, Math.min(credits, total(reservation.parts)));
      this.release(chargeId, spent);
      return spent;
    }
    if (credits === 0 || this.charged.has(chargeId)) return 0;
    if (this.reserve(chargeId, credits, options).kind === 'refused') return 0;
    return this.settle(chargeId, credits, options);
  }

  /** Credits reserved for a job; null when nothing is left. */
  reserveJob(chargeId: string, pages: number): number | null {
    if (this.isUnlimited) return pages;
    this.turn();
    const mayOverrun = this.terms.mayOverrun && this.payment === 'confirmed';
    const credits = mayOverrun ? pages : Math.min(pages, this.grant + this.topup);
    if (credits === 0) return null;
    this.take(chargeId, credits, { expiresAtMs: null, isEnrich: false });
    return credits;
  }

  settleJob(chargeId: string, spent: number): void {
    if (this.reservations.has(chargeId)) this.release(chargeId, spent);
  }

  sweep(): void {
    for (const [chargeId, { expiresAtMs }] of this.reservations)
      if (expiresAtMs !== null && expiresAtMs <= this.nowMs) this.release(chargeId, 0);
  }

  addTopUp(reference: string, credits: number, pool: CreditPool): void {
    this.hasBalance = true;
    if (this.topUps.has(reference)) return;
    this.topUps.add(reference);
    if (pool === 'scrape') this.topup += credits;
    else if (pool === 'enrich') this.enrichTopup += credits;
    else this.kybTopup += credits;
  }

  setPlan(plan: Plan, agreed: number | null, payment: CreditPayment): void {
    this.plan = plan;
    this.agreed = agreed;
    this.setPayment(payment);
  }

  setPayment(payment: CreditPayment): void {
    this.hasBalance = true;
    this.payment = payment;
    if (payment !== 'confirmed') return;
    this.turn();
    const monthly = this.terms.monthlyCredits ?? 0;
    const missing = monthly - (this.granted ?? 0);
    if (missing > 0) this.grant += missing;
    this.granted = Math.max(monthly, this.granted ?? 0);
    const { enrichCredits, kybCredits } = this.terms;
    this.enrichGrant += Math.max(enrichCredits - this.enrichGranted, 0);
    this.enrichGranted = Math.max(enrichCredits, this.enrichGranted);
    this.kybGrant += Math.max(kybCredits - this.kybGranted, 0);
    this.kybGranted = Math.max(kybCredits, this.kybGranted);
  }

  private turn(): void {
    this.hasBalance = true;
    const month = new Date(this.nowMs).toISOString().slice(0, 7);
    if (this.period >= month) return;
    const { grant, overage, enrichGrant, kybGrant } = this;
    if (this.period !== '0000-00')
      this.closed.set(this.period, { grant, overage, enrichGrant, kybGrant });
    this.period = month;
    const isPaid = this.payment === 'confirmed';
    this.enrichGrant = this.enrichGranted = isPaid ? this.terms.enrichCredits : 0;
    this.kybGrant = this.kybGranted = isPaid ? this.terms.kybCredits : 0;
    this.granted = isPaid ? (this.terms.monthlyCredits ?? 0) : null;
    this.grant = this.granted ?? 0;
    this.overage = 0;
  }

  private take(
    chargeId: string,
    credits: number,
    { expiresAtMs, isEnrich }: Pick<Reservation, 'expiresAtMs'> & Pick<ReserveOptions, 'isEnrich'>,
  ): void {
    let missing = credits;
    const draw = (available: number): number => {
      const drawn = Math.min(missing, available);
      missing -= drawn;
      return drawn;
    };
    const enrichGrant = draw(isEnrich ? this.enrichGrant : 0);
    const enrichTopup = draw(isEnrich ? this.enrichTopup : 0);
    const grant = draw(this.grant);
    const topup = draw(this.topup);
    const parts = { enrichGrant, enrichTopup, grant, topup, overage: missing };
    this.enrichGrant -= enrichGrant;
    this.enrichTopup -= enrichTopup;
    this.grant -= grant;
    this.topup -= topup;
    this.overage += missing;
    this.reservations.set(chargeId, { period: this.period, parts, expiresAtMs });
  }

  private charge(chargeId: string, credits: number): number {
    if (this.charged.has(chargeId)) return 0;
    this.charged.set(chargeId, credits);
    return credits;
  }

  private release(chargeId: string, spent: number): void {
    const reservation = this.reservations.get(chargeId);
    this.reservations.delete(chargeId);
    if (!reservation) return;
    let used = spent;
    const back = { ...reservation.parts };
    for (const part of PARTS) {
      const drawn = Math.min(used, back[part]);
      back[part] -= drawn;
      used -= drawn;
    }
    this.topup += back.topup;
    this.enrichTopup += back.enrichTopup;
    const month = this.period === reservation.period ? this : this.closed.get(reservation.period);
    if (!month) return;
    month.grant += back.grant;
    month.enrichGrant += back.enrichGrant;
    month.overage -= back.overage;
  }
}
