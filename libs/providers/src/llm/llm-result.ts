import type { LlmProblem } from '@app/contracts';

export type LlmResult =
  /** `isCut`: the answer reached `maxTokens`. */
  { readonly ok: true; readonly text: string; readonly isCut: boolean } | LlmCallFailure;

export interface LlmCallFailure {
  readonly ok: false;
  readonly problem: LlmProblem;
  /** `too_long`: the prompt exceeds the model's limit; a shorter one may not. */
  readonly code: 'too_long' | null;
  /** For people; contains no text of the server. */
  readonly message: string;
}

export function failedCall(
  problem: LlmProblem,
  message: string,
  code: LlmCallFailure['code'] = null,
): LlmCallFailure {
  return { ok: false, problem, code, message };
}
