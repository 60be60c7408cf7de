import type { LlmProblem } from '@app/contracts';

export type LlmResult =
  /** `isCut`: the answer reached `maxTokens`. */
  { readonly ok: true; readonly text: string; readonly isCut: boolean } | LlmCallFailure;

export interface LlmCallFailure {
  readonly ok: false;
  readonly problem: LlmProblem;
  /** `too_long`: the prompt does not fit the model; a shorter one may. */
  readonly code: 'too_long' | null;
  /** For people; holds nothing of what the server said. */
  readonly message: string;
}

export function failed(
  problem: LlmProblem,
  message: string,
  code: LlmCallFailure['code'] = null,
): LlmCallFailure {
  return { ok: false, problem, code, message };
}
