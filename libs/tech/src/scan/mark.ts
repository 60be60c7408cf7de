import type { CompiledPattern } from '../pattern/compile-pattern.js';

/** One way a technology shows itself: a pattern and where it is looked for. */
export interface Mark {
  /** Index among all marks of the set. */
  readonly id: number;
  /** Index of the technology. */
  readonly technology: number;
  readonly pattern: CompiledPattern;
}
