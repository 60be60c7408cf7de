import type { ScanOutcome } from '@app/tech';

/** What a scan thread is started with. */
export interface ScanThreadData {
  /** JSON of the fingerprints: one string is handed over faster than thousands of objects. */
  readonly fingerprints: string;
}

/** One page for a scan thread. */
export interface ScanWork {
  readonly id: number;
  /** The stored input, gzipped JSON. Moved to the thread. */
  readonly body: Uint8Array;
  /** Time for fingerprints; what is untried then is named. */
  readonly budgetMs: number;
  /** Epoch milliseconds by which the thread has to be done, whatever the budget. */
  readonly doneAtMs: number;
}

/** A thread's answer to a {@link ScanWork}. */
export type ScanWorkResult =
  | { readonly kind: 'scanned'; readonly outcome: ScanOutcome }
  /** The scanner threw; its thread is sound. */
  | { readonly kind: 'failed'; readonly problem: string };

/** What a thread says of the fingerprints it has compiled, before its first page. */
export interface CompiledNote {
  readonly compiled: {
    readonly technologies: number;
    /** Patterns that only a thread that can be killed may run. */
    readonly backtracking: number;
    /** Patterns that were left out. */
    readonly problems: number;
    /** Some of them, and why. */
    readonly shown: readonly string[];
  };
}

/** A thread says so the moment it begins with a page: from then on the hard limit counts. */
export interface TakenNote {
  readonly takenId: number;
}
