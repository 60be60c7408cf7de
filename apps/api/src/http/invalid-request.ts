import { ApiError } from '@app/contracts';

/** A body that says what it may not; the text names the field and the rule. */
export function invalidRequest(problem: string): ApiError {
  return new ApiError('invalid_request', { problem });
}
