import type { ErrorClass } from './error-class.js';
import type { Rung } from './rung.js';

/** One try of one rung. A failed attempt is a value, never an exception. */
export interface CascadeAttempt {
  readonly rung: Rung;
  readonly level: number;
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly errorClass: ErrorClass | null;
}

/** What the cascade did: the level that served (null when none did) and every attempt in order. */
export interface CascadeReport {
  readonly level: number | null;
  readonly attempts: readonly CascadeAttempt[];
}
