import type { LlmProblem } from '@app/contracts';

export interface ModelFailure {
  readonly ok: false;
  readonly problem: LlmProblem;
  readonly message: string;
  /** The page exceeds the model's input limit. */
  readonly isTooLong?: boolean;
}

export function failure(problem: LlmProblem, message: string): ModelFailure {
  return { ok: false, problem, message };
}
