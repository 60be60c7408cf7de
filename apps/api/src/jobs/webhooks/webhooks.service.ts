import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isId, ApiError, newId } from '@app/contracts';
import type { HttpClient } from '@app/egress';
import { resultUrl } from '@app/jobs';
import type { Runtime } from '@app/runtime';
import {
  findDeliveredEvent,
  findDelivery,
  listDeliveries,
  openWebhookClient,
  readSecrets,
  redeliver,
  showNewSecret,
  secretHint,
  secretText,
  sendTestWebhook,
  type LoggedAttempt,
  type LoggedDelivery,
  type SigningSecret,
} from '@app/webhooks';
import type { Tenant } from '@app/accounts';
import { TargetCheck } from '../../fetchers/target-check.js';
import { EXAMPLE_SITE } from '../../public/operation-example.js';
import { InjectRuntime } from '../../runtime.token.js';
import type { EventBody } from './event.dto.js';
import { presentEvent } from './present-event.js';
import { parseDeliveryQuery, type DeliveryQueryText } from './parse-delivery-query.js';
import type {
  DeliveryList,
  DeliveryView,
  SecretView,
  ShownSecret,
  AttemptView,
  TestWebhookResult,
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
export class WebhooksService implements OnModuleDestroy {
  private client: HttpClient | undefined;

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<
      Runtime,
      'database' | 'settings' | 'metrics' | 'publicUrl' | 'downloadSecret'
    >,
    private readonly targets: TargetCheck,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.client?.close();
  }

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

  /** What is sent with a delivery, or was; the link to its results is signed anew. @throws ApiError */
  async body(tenant: Tenant, id: string): Promise<string> {
    const { database } = this.runtime;
    const event = isId(id) ? await findDeliveredEvent(database, tenant.id, id) : null;
    if (event === null) throw new ApiError('delivery_not_found');
    if (event.kind === 'feed') return event.body;
    const links = { ...this.runtime, resultUrl: resultUrl(this.runtime, event.job) };
    return JSON.stringify(presentEvent(event.job, links));
  }

  /** Sends an example of an event to a URL, once. @throws ApiError */
  async test(tenant: Tenant, to: string, signal: AbortSignal): Promise<TestWebhookResult> {
    const url = (await this.targets.vet(to)).href;
    const body: EventBody = {
      ...{ jobId: newId(), status: 'completed', url: EXAMPLE_SITE, pages_scraped: 0 },
      ...{ result_url: null, completed_at: new Date().toISOString(), test: true },
    };
    this.client ??= openWebhookClient(this.runtime);
    const event = { tenantId: tenant.id, url, body: JSON.stringify(body), signal };
    const { id, status, error, answer, ms } = await sendTestWebhook(
      this.runtime,
      this.client,
      event,
    );
    return { id, delivered: error === null, status, error, answer, ms, body };
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
