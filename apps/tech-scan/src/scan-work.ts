import type { ScanOutcome } from '@app/tech';

/** Data that a scan thread starts with. */
export interface ScanThreadData {
  /** JSON of the fingerprints: one string is transferred faster than thousands of objects. */
  readonly fingerprints: string;
}

/** One page for a scan thread. */
export interface ScanWork {
  readonly id: number;
  /** The stored input, gzipped JSON. Moved to the thread. */
  readonly body: Uint8Array;
  /** Time for fingerprints; the untried ones are reported. */
  readonly budgetMs: number;
  /** Epoch milliseconds by which the thread must be done, whatever the budget. */
  readonly doneAtMs: number;
}

/** A thread's reply to a {@link ScanWork}. */
export type ScanWorkResult =
  | { readonly kind: 'scanned'; readonly outcome: ScanOutcome }
  /** The scanner threw; its thread is sound. */
  | { readonly kind: 'failed'; readonly problem: string };

/** A thread's report on its compiled fingerprints, before its first page. */
export interface CompiledMessage {
  readonly compiled: {
    readonly technologies: number;
    /** Patterns that only a killable thread may run. */
    readonly backtracking: number;
    /** Patterns that were skipped. */
    readonly problems: number;
    /** Some of them, with the reason. */
    readonly shown: readonly string[];
  };
}

/** Sent by a thread when it starts with a page: from then on the hard limit counts. */
export interface StartedMessage {
  readonly takenId: number;
}
