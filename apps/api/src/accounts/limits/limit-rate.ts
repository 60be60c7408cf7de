import type { FastifyInstance, FastifyReply } from 'fastify';
import { PLAN_LIMITS, ApiError } from '@app/contracts';
import type { RequestAdmission } from '@app/accounts';

const LIMIT_HEADER = 'x-ratelimit-limit';
const REMAINING_HEADER = 'x-ratelimit-remaining';
/** Sent with every 429, however soon the oldest request leaves the window (specification: Errors). */
const RETRY_AFTER_SECONDS = 60;

/**
 * Headers of responses without a tenant: public files, health, a missing or wrong key. They are not
 * counted, so they report the limit of a Free key with nothing used.
 */
const FREE_CEILING = PLAN_LIMITS.free.requestsPerMinute;
export const UNCOUNTED_HEADERS = {
  [LIMIT_HEADER]: FREE_CEILING,
  [REMAINING_HEADER]: FREE_CEILING,
};
/** Used when the window cannot be read: nothing is left. */
const UNKNOWN_HEADERS = { [LIMIT_HEADER]: FREE_CEILING, [REMAINING_HEADER]: 0 };

/** Every response reports the rate window (specification: Errors, "Rate-limit headers"). */
export function setRateHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader(LIMIT_HEADER)) void reply.headers(UNCOUNTED_HEADERS);
    done(null, payload);
  });
}

/** Sets the rate headers. @throws ApiError if the window is full */
export function limitRate(
  reply: FastifyReply,
  { tenant, limit, isAdmitted, remaining }: RequestAdmission,
): void {
  void reply.header(LIMIT_HEADER, limit).header(REMAINING_HEADER, remaining);
  if (!isAdmitted) throw rateLimited(tenant.plan, limit);
}

/** The request does not count after all. */
export function reportUncounted(reply: FastifyReply): void {
  void reply.header(REMAINING_HEADER, Number(reply.getHeader(REMAINING_HEADER)) + 1);
}

/** Without the database every call is rejected, as without a key: one statement checks both. */
export function rateUnreadable(reply: FastifyReply, cause: unknown): ApiError {
  void reply.headers(UNKNOWN_HEADERS);
  return new ApiError('auth_unavailable', {}, { cause });
}

/** The caller's window is full. @param tier its plan, or the name of its other limit */
export function rateLimited(tier: string, limit: number): ApiError {
  const details = { limit, tier, retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new ApiError('rate_limited', details, { body: details });
}

/** Without the database every call gets 503, as when a key cannot be looked up. */
export function limitsUnreadable(cause: unknown): never {
  throw new ApiError('auth_unavailable', {}, { cause });
}
