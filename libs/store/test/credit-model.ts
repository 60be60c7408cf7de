import type { Plan } from '@app/contracts';
import { creditTerms } from '../src/credits/credit-terms.js';
import type { CreditPayment } from '../src/credits/set-plan.js';

interface Hold {
  readonly period: string;
  readonly parts: Parts;
  /** Null: of a job. */
  readonly expiresAtMs: number | null;
}

interface Parts {
  readonly grant: number;
  readonly topup: number;
  readonly overage: number;
}

const total = ({ grant, topup, overage }: Parts): number => grant + topup + overage;

/** What a call is told, as far as the model knows it. */
export type Told =
  { readonly kind: 'open' } | { readonly kind: 'refused'; readonly balance: number };

/**
 * Credits of one tenant, as plainly as they can be told: no locks, no entries, one thing after another.
 * What the store does is compared with it.
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
  readonly holds = new Map<string, Hold>();
  /** By reference. */
  readonly charged = new Map<string, number>();
  /** What months that are over were left with. */
  readonly closed = new Map<string, { grant: number; overage: number }>();
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

  open(reference: string, credits: number, lifeMs: number): Told {
    if (this.isUnlimited || this.holds.has(reference) || this.charged.has(reference))
      return { kind: 'open' };
    this.turn();
    const left = this.grant + this.topup;
    const mayOverrun = this.terms.mayOverrun && this.payment === 'confirmed';
    if (credits > left && !mayOverrun) return { kind: 'refused', balance: left };
    this.take(reference, credits, this.nowMs + lifeMs);
    return { kind: 'open' };
  }

  /** Returns what was charged. */
  close(reference: string, credits: number, lifeMs: number): number {
    if (this.isUnlimited) return credits === 0 ? 0 : this.charge(reference, credits);
    const hold = this.holds.get(reference);
    if (hold) {
      const spent =
        credits === 0 ? 0 : this.charge(reference, Math.min(credits, total(hold.parts)));
      this.giveBack(reference, spent);
      return spent;
    }
    if (credits === 0 || this.charged.has(reference)) return 0;
    if (this.open(reference, credits, lifeMs).kind === 'refused') return 0;
    return this.close(reference, credits, lifeMs);
  }

  /** Credits held for a job; null when nothing is left. */
  openJob(reference: string, pages: number): number | null {
    if (this.isUnlimited) return pages;
    this.turn();
    const mayOverrun = this.terms.mayOverrun && this.payment === 'confirmed';
    const credits = mayOverrun ? pages : Math.min(pages, this.grant + this.topup);
    if (credits === 0) return null;
    this.take(reference, credits, null);
    return credits;
  }

  closeJob(reference: string, spent: number): void {
    if (this.holds.has(reference)) this.giveBack(reference, spent);
  }

  sweep(): void {
    for (const [reference, { expiresAtMs }] of this.holds)
      if (expiresAtMs !== null && expiresAtMs <= this.nowMs) this.giveBack(reference, 0);
  }

  addTopUp(reference: string, credits: number): void {
    this.hasBalance = true;
    if (this.topUps.has(reference)) return;
    this.topUps.add(reference);
    this.topup += credits;
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
  }

  private turn(): void {
    this.hasBalance = true;
    const month = new Date(this.nowMs).toISOString().slice(0, 7);
    if (this.period >= month) return;
    if (this.period !== '0000-00')
      this.closed.set(this.period, { grant: this.grant, overage: this.overage });
    this.period = month;
    this.granted = this.payment === 'confirmed' ? (this.terms.monthlyCredits ?? 0) : null;
    this.grant = this.granted ?? 0;
    this.overage = 0;
  }

  private take(reference: string, credits: number, expiresAtMs: number | null): void {
    const grant = Math.min(credits, this.grant);
    const topup = Math.min(credits - grant, this.topup);
    const parts = { grant, topup, overage: credits - grant - topup };
    this.grant -= parts.grant;
    this.topup -= parts.topup;
    this.overage += parts.overage;
    this.holds.set(reference, { period: this.period, parts, expiresAtMs });
  }

  private charge(reference: string, credits: number): number {
    if (this.charged.has(reference)) return 0;
    this.charged.set(reference, credits);
    return credits;
  }

  private giveBack(reference: string, spent: number): void {
    const hold = this.holds.get(reference);
    this.holds.delete(reference);
    if (!hold) return;
    const { grant, topup } = hold.parts;
    const used = {
      grant: Math.min(spent, grant),
      topup: Math.min(Math.max(spent - grant, 0), topup),
    };
    const overage = hold.parts.overage - Math.max(spent - grant - topup, 0);
    this.topup += topup - used.topup;
    const month = this.period === hold.period ? this : this.closed.get(hold.period);
    if (!month) return;
    month.grant += grant - used.grant;
    month.overage -= overage;
  }
}
