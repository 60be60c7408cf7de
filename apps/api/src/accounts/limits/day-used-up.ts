import { secondsToNextDay } from '@app/accounts';
import { ApiError, type ApiErrorCode, type Plan } from '@app/contracts';

type DailyCode = Extract<ApiErrorCode, 'screenshot_quota' | 'preview_quota' | 'unpaid_quota'>;

/** The plan's number a day is used up; the day ends at midnight UTC. */
export function dayUsedUp(code: DailyCode, limit: number, tier: Plan): ApiError {
  const body = { limit, tier, retryAfterSeconds: secondsToNextDay() };
  return new ApiError(code, body, { body });
}
