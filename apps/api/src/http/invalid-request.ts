import { ApiError } from '@app/contracts';

/** An error for an invalid body; the text names the field and the rule. */
export function invalidRequest(problem: string): ApiError {
  return new ApiError('invalid_request', { problem });
}
