import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { newId, ApiError } from '@app/contracts';
import { confirmClaim, type KeyClaim } from '@app/idempotency';
import { type ChargeIds } from '@app/accounts';
import { type Database } from '@app/database';
import { FormDigest } from './fingerprint.js';

/** Requests with an Idempotency-Key that hold its claim. */
const claims = new WeakMap<FastifyRequest, KeyClaim>();

export function holdClaim(request: FastifyRequest, claim: KeyClaim): void {
  claims.set(request, claim);
}

export function claimOf(request: FastifyRequest): KeyClaim | null {
  return claims.get(request) ?? null;
}

/** Removes the claim: a response is settled once. */
export function takeClaim(request: FastifyRequest): KeyClaim | null {
  const claim = claimOf(request);
  claims.delete(request);
  return claim;
}

/**
 * The id of the resource that the request creates. A retry with the same Idempotency-Key, after a first attempt with an
 * unknown outcome, gets the id of the first attempt, so the resource is created once.
 */
export const ChargeId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  return claimOf(context.switchToHttp().getRequest<FastifyRequest>())?.id ?? newId();
});

export const CurrentCharge = createParamDecorator(
  (_: unknown, context: ExecutionContext): ChargeIds => {
    const requestId = newId();
    const claim = claimOf(context.switchToHttp().getRequest<FastifyRequest>());
    return { chargeId: claim?.id ?? requestId, requestId };
  },
);

/** For the reader of a form: null if the fingerprint is not needed. */
export function formDigestOf(request: FastifyRequest): FormDigest | null {
  return claimOf(request) ? new FormDigest(request) : null;
}

/** The form was read, and no work has begun. @throws ApiError if the key belongs to another form */
export async function confirmForm(
  request: FastifyRequest,
  database: Database,
  digest: FormDigest | null,
): Promise<void> {
  const claim = claimOf(request);
  if (!claim || !digest) return;
  if (!(await confirmClaim(database, claim, digest.fingerprint())))
    throw new ApiError('idempotency_key_reused');
}
