import type { FastifyInstance, FastifyReply } from 'fastify';
import { PLAN_LIMITS, ApiError } from '@app/contracts';
import type { RequestAdmission } from '@app/accounts';

const LIMIT_HEADER = 'x-ratelimit-limit';
const REMAINING_HEADER = 'x-ratelimit-remaining';
/** Said with every 429, however soon the oldest request leaves (specification: Errors). */
const RETRY_AFTER_SECONDS = 60;

/**
 * What answers without a tenant say: public files, health, a missing or wrong key. They are counted
 * nowhere, so they name the ceiling of a key nobody pays for, with nothing taken of it.
 */
const FREE_CEILING = PLAN_LIMITS.free.requestsPerMinute;
export const UNCOUNTED_HEADERS = {
  [LIMIT_HEADER]: FREE_CEILING,
  [REMAINING_HEADER]: FREE_CEILING,
};
/** Where nobody can tell: nothing is left of it either. */
const UNKNOWN_HEADERS = { [LIMIT_HEADER]: FREE_CEILING, [REMAINING_HEADER]: 0 };

/** Every answer tells where the client stands (specification: Errors, "Rate-limit headers"). */
export function setRateHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader(LIMIT_HEADER)) void reply.headers(UNCOUNTED_HEADERS);
    done(null, payload);
  });
}

/** Tells on the answer where the client stands. @throws Refusal when its window is full */
export function limitRate(
  reply: FastifyReply,
  { tenant, limit, isAdmitted, remaining }: RequestAdmission,
): void {
  void reply.header(LIMIT_HEADER, limit).header(REMAINING_HEADER, remaining);
  if (!isAdmitted) throw rateLimited(tenant.plan, limit);
}

/** Without the database nobody is let through unlimited, nor without a key: it is one question. */
export function rateUnreadable(reply: FastifyReply, cause: unknown): ApiError {
  void reply.headers(UNKNOWN_HEADERS);
  return new ApiError('auth_unavailable', {}, { cause });
}

/** The window of who asks is full. @param tier its plan, or what it is bounded by instead */
export function rateLimited(tier: string, limit: number): ApiError {
  const details = { limit, tier, retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new ApiError('rate_limited', details, { body: details });
}

/** Without the database nobody is let through unlimited: as with a key that cannot be looked up, it is 503. */
export function limitsUnreadable(cause: unknown): never {
  throw new ApiError('auth_unavailable', {}, { cause });
}
