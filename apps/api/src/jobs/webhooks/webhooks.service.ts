import { Injectable } from '@nestjs/common';
import { isId, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  findDelivery,
  listDeliveries,
  readSecrets,
  redeliver,
  showNewSecret,
  secretHint,
  secretText,
  type LoggedAttempt,
  type LoggedDelivery,
  type SigningSecret,
} from '@app/webhooks';
import type { Tenant } from '@app/accounts';
import { InjectRuntime } from '../../runtime.token.js';
import { parseDeliveryQuery, type DeliveryQueryText } from './parse-delivery-query.js';
import type {
  DeliveryList,
  DeliveryView,
  SecretView,
  ShownSecret,
  AttemptView,
} from './webhook.dto.js';

function presentDelivery(delivery: LoggedDelivery): DeliveryView {
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
function presentSecret(current: SigningSecret, previous: readonly SigningSecret[]): SecretView {
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

function presentShownSecret(
  current: SigningSecret,
  previous: readonly SigningSecret[],
): ShownSecret {
  return { ...presentSecret(current, previous), secret: secretText(current.secret) };
}

/** The delivery log of a tenant's webhooks, and their signing secrets. */
@Injectable()
export class WebhooksService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>) {}

  async list(tenant: Tenant, text: DeliveryQueryText): Promise<DeliveryList> {
    const query = parseDeliveryQuery(text);
    // One more than shown reveals whether there is a next page.
    const found = await listDeliveries(this.runtime.database, tenant.id, {
      ...query,
      most: query.most + 1,
    });
    const shown = found.slice(0, query.most);
    const next = found.length > shown.length ? (shown.at(-1)?.id ?? null) : null;
    return { deliveries: shown.map(presentDelivery), next };
  }

  /** Another tenant's delivery is reported like an unknown one. */
  async view(tenant: Tenant, id: string): Promise<DeliveryView> {
    const delivery = isId(id) ? await findDelivery(this.runtime.database, tenant.id, id) : null;
    if (!delivery) throw new ApiError('delivery_not_found');
    return presentDelivery(delivery);
  }

  async redeliver(tenant: Tenant, id: string): Promise<DeliveryView> {
    const delivery = isId(id) ? await redeliver(this.runtime.database, tenant.id, id) : null;
    if (!delivery) throw new ApiError('delivery_not_found');
    return presentDelivery(delivery);
  }

  async secret(tenant: Tenant): Promise<SecretView> {
    const [current, ...previous] = await readSecrets(this.runtime.database, tenant.id);
    if (!current) throw new ApiError('webhook_secret_not_found');
    return presentSecret(current, previous);
  }

  /** See `showNewSecret`: a secret created for the first delivery is shown here too. */
  async newSecret(tenant: Tenant): Promise<ShownSecret> {
    const [current, ...previous] = await showNewSecret(this.runtime.database, tenant.id);
    if (!current) throw new ApiError('webhook_secret_not_found');
    return presentShownSecret(current, previous);
  }
}
