import {
  type LoggedAttempt,
  type LoggedDelivery,
  type SigningSecret,
  secretHint,
  secretText,
} from '@app/jobs';
import type { AttemptView, DeliveryView, SecretView, ShownSecret } from './webhook.dto.js';

export function presentDelivery(delivery: LoggedDelivery): DeliveryView {
  const { id, jobId, feedId, event, url, state, attemptCount, attempts } = delivery;
  return {
    id,
    jobId,
    ...(feedId === null ? {} : { feedId }),
    event,
    url,
    state,
    attempt_count: attemptCount,
    next_attempt_at: delivery.nextAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    ended_at: delivery.endedAt?.toISOString() ?? null,
    attempts: attempts.map((attempt) => presentAttempt(attempt, mayStillRun(attempt, delivery))),
  };
}

/** Only the newest attempt of a pending delivery can be running. */
function mayStillRun({ no }: LoggedAttempt, { attemptCount, state }: LoggedDelivery): boolean {
  return no === attemptCount && state === 'pending';
}

function presentAttempt(attempt: LoggedAttempt, mayRun: boolean): AttemptView {
  const { no, at, status, ms, answer } = attempt;
  // The process died before it could record the outcome.
  const error = ms === null && !mayRun ? 'interrupted' : attempt.error;
  return { no, at: at.toISOString(), status, ms, error, answer };
}

/** @param secrets active secrets, the current one first */
export function presentSecret(
  current: SigningSecret,
  previous: readonly SigningSecret[],
): SecretView {
  return {
    prefix: secretHint(current.secret),
    created_at: current.createdAt.toISOString(),
    previous: previous.flatMap(({ secret, expiresAt }) =>
      expiresAt === null
        ? []
        : [{ prefix: secretHint(secret), expires_at: expiresAt.toISOString() }],
    ),
  };
}

export function presentShownSecret(
  current: SigningSecret,
  previous: readonly SigningSecret[],
): ShownSecret {
  return { ...presentSecret(current, previous), secret: secretText(current.secret) };
}
