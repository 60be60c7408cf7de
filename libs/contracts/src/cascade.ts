import type { ErrorClass } from './error-class.js';
import type { Rung } from './rung.js';

/** One try of one rung. A failed attempt is a value, never an exception. */
export interface CascadeAttempt {
  readonly rung: Rung;
  readonly level: number;
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly errorClass: ErrorClass | null;
  /** Where the page led by itself, and was not let: the address is private, or denied by the operator. */
  readonly refusedNavigation?: string;
}

/** One try of a provider of the unblock rung (specification: Unblock attempt). */
export interface UnblockAttempt {
  readonly provider: string;
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly errorClass: ErrorClass | null;
  readonly outcome: 'ok' | 'blocked' | 'failed';
  /** `paid`: a third party received the address. */
  readonly costClass: 'free' | 'paid';
}

/** The rung the cascade started with, because it had worked for this host before. */
export interface RememberedRung {
  readonly rung: Rung;
  /** Why the lower rungs failed when this rung was learnt. */
  readonly errorClass: ErrorClass;
  readonly ageMs: number;
}

/** The level that served the page (null: none did) and every attempt in order. */
export interface CascadeReport {
  readonly level: number | null;
  readonly attempts: readonly CascadeAttempt[];
  readonly unblock: readonly UnblockAttempt[];
  /** Set when lower rungs were skipped because of what is remembered of the host. */
  readonly remembered?: RememberedRung;
}

/** A later rung brought complete content after an earlier one had failed. */
export interface Fallback {
  readonly from: Rung;
  readonly to: Rung;
}
