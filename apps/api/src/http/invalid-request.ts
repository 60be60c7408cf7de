import { Refusal } from '@app/contracts';

/** A body that says what it may not; the text names the field and the rule. */
export function invalidRequest(problem: string): Refusal {
  return new Refusal('invalid_request', { problem });
}
