import type { HttpClient } from '@app/egress';
import { run, type Database, type Statement } from '@app/database';
import type { Logger, Metrics } from '@app/telemetry';
import { ensureSecrets } from './signing-secrets.js';
import { takeDeliveries, type ClosedDelivery, deliveredName } from './take-deliveries.js';
import type { AttemptError, DeliveredEvent, EndedJob, TakenDelivery } from './delivery.js';
import { MAX_ATTEMPTS, retryWaitMs, sendWebhook, type SendResult } from './send-webhook.js';
import { webhookHeaders } from './sign-webhook.js';
import { holdReceiver, releaseHeldReceiver } from './release-receiver.js';

/** Beyond the time of an attempt: to read its secrets before and to record it after. */
const LEASE_SLACK_MS = 15_000;
/** How long a process that stops waits for attempts in flight; those broken off are made again elsewhere. */
const STOP_PATIENCE_MS = 3_000;

export interface DelivererOptions {
  readonly database: Database;
  /** Follows the egress guard at each dial. */
  readonly http: Pick<HttpClient, 'fetch'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'webhookDeliveries' | 'webhookSeconds'>;
  /** A fresh link to the result file; null when the job has none. */
  readonly resultUrl: (job: EndedJob) => string | null;
  /** The body of an event, as the wire has it. */
  readonly present: (job: EndedJob, resultUrl: string | null) => object;
  readonly userAgent: string;
  /** For one attempt as a whole. */
  readonly timeoutMs: number;
  /** Attempts in flight at most. */
  readonly concurrency: number;
  /** Called when there is room for more: runs a round soon. */
  readonly onRoom: () => void;
  /** @default the database's clock */
  readonly now?: () => Date;
  /** @default Math.random */
  readonly random?: () => number;
}

/**
 * Sends the events of ended jobs, in any number of replicas. Deliveries are rows: a round leases
 * due ones, one per receiver, and starts their attempts; each is recorded when it ends, which frees
 * its receiver. A process that dies leaves leases that expire; its deliveries may then be sent
 * twice, under the same id.
 */
export class Deliverer {
  private readonly stopping = new AbortController();
  private readonly inFlight = new Map<Promise<void>, string>();

  constructor(private readonly options: DelivererOptions) {}

  /** One round; see BackgroundLoop. Does not wait for the attempts it starts. */
  async round(): Promise<number | null> {
    const { database, concurrency, timeoutMs, now } = this.options;
    const room = concurrency - this.inFlight.size;
    if (room <= 0) return null;
    const { sends, closed } = await takeDeliveries(database, {
      most: room,
      perTenant: Math.max(1, Math.floor(concurrency / 4)),
      busy: this.sendsByTenant(),
      leaseMs: timeoutMs + LEASE_SLACK_MS,
      maxSteps: MAX_ATTEMPTS,
      ...(now ? { now: now() } : {}),
    });
    for (const one of closed) this.onClosed(one);
    for (const one of sends) this.start(one);
    return sends.length + closed.length > 0 ? 0 : null;
  }

  /** Resolves when no attempt is in flight. */
  async idle(): Promise<void> {
    await Promise.all(this.inFlight.keys());
  }

  /** After the last round: attempts in flight end, or are aborted and released, within seconds. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(new Error('stopping')), STOP_PATIENCE_MS);
    await this.idle();
    clearTimeout(timer);
  }

  private sendsByTenant(): Map<string, number> {
    const sends = new Map<string, number>();
    for (const tenantId of this.inFlight.values())
      sends.set(tenantId, (sends.get(tenantId) ?? 0) + 1);
    return sends;
  }

  private start(delivery: TakenDelivery): void {
    const attempt = this.attempt(delivery)
      .catch((err: unknown) =>
        // Its lease runs out and it is sent again.
        this.options.log.error({ err, ...namesOf(delivery) }, 'a webhook could not be recorded'),
      )
      .finally(() => {
        this.inFlight.delete(attempt);
        this.options.onRoom();
      });
    this.inFlight.set(attempt, delivery.tenantId);
  }

  private async attempt(delivery: TakenDelivery): Promise<void> {
    const { database, now } = this.options;
    const startedAt = performance.now();
    const result = await this.send(delivery);
    const ms = Math.round(performance.now() - startedAt);
    const after = this.after(delivery, result);
    const { status, error, answer } = result;
    const end = { status, error, ms, answer, after };
    const isOurs = await recordAttempt(database, delivery, end, now?.());
    this.recordOutcome(delivery, { result, after, ms, isOurs });
  }

  private async send(delivery: TakenDelivery): Promise<SendResult> {
    try {
      const { id, url, at, tenantId, event } = delivery;
      const { database, http, timeoutMs, userAgent, now } = this.options;
      const body = this.bodyOf(event);
      const secrets = await ensureSecrets(database, tenantId, now?.());
      const signed = webhookHeaders(
        { id, at, body },
        secrets.map(({ secret }) => secret),
      );
      const headers = { ...signed, 'user-agent': userAgent };
      return await sendWebhook(http, {
        ...{ url, headers, body, timeoutMs },
        signal: this.stopping.signal,
      });
    } catch (err) {
      this.options.log.error({ err, ...namesOf(delivery) }, 'a webhook could not be sent');
      return { status: null, error: 'internal', answer: null, retryAfterMs: null };
    }
  }

  private bodyOf(event: DeliveredEvent): string {
    if (event.kind === 'feed') return event.body;
    const { resultUrl, present } = this.options;
    return JSON.stringify(present(event.job, resultUrl(event.job)));
  }

  private after({ step }: TakenDelivery, { error, retryAfterMs }: SendResult): AfterAttempt {
    if (error === null) return { state: 'delivered' };
    if (error === 'gone') return { state: 'disabled' };
    if (error === 'interrupted') return { state: 'pending', inMs: 0, isCounted: false };
    const { random = Math.random } = this.options;
    const inMs = retryWaitMs(step, random(), retryAfterMs);
    return inMs === null ? { state: 'failed' } : { state: 'pending', inMs, isCounted: true };
  }

  private recordOutcome(
    delivery: TakenDelivery,
    { result, after, ms, isOurs }: AttemptStory,
  ): void {
    const { metrics, log } = this.options;
    const outcome = outcomeOf(after, result.error);
    metrics.webhookDeliveries.inc({ event: deliveredName(delivery.event), outcome });
    metrics.webhookSeconds.observe({ outcome }, ms / 1_000);
    const { status, error } = result;
    const { attemptNo, step } = delivery;
    log.info(
      { ...namesOf(delivery), outcome, status, error, attemptNo, step, ms, isOurs },
      'webhook attempted',
    );
  }

  private onClosed({ id, tenantId, receiver, state, event }: ClosedDelivery): void {
    const outcome = state === 'failed' ? 'exhausted' : 'disabled';
    this.options.metrics.webhookDeliveries.inc({ event, outcome });
    this.options.log.info({ deliveryId: id, tenantId, receiver, outcome }, 'webhook not sent');
  }
}

interface AttemptStory {
  readonly result: SendResult;
  readonly after: AfterAttempt;
  readonly ms: number;
  readonly isOurs: boolean;
}

/** Never the address itself: path and query of a webhook often are its password. */
function namesOf({ id, tenantId, receiver, event }: TakenDelivery): object {
  const about = event.kind === 'job' ? { jobId: event.job.id } : { feedId: event.feedId };
  return { deliveryId: id, tenantId, ...about, receiver };
}

type Outcome = 'delivered' | 'retried' | 'exhausted' | 'ssrf_denied' | 'disabled';

function outcomeOf(after: AfterAttempt, error: AttemptError | null): Outcome {
  if (error === 'blocked_address') return 'ssrf_denied';
  switch (after.state) {
    case 'delivered':
      return 'delivered';
    case 'disabled':
      return 'disabled';
    case 'failed':
      return 'exhausted';
    case 'pending':
      return 'retried';
  }
}

/** State of a delivery after an attempt. */
export type AfterAttempt =
  | { readonly state: 'delivered' | 'failed' | 'disabled' }
  | {
      readonly state: 'pending';
      readonly inMs: number;
      /** False when the attempt does not count, such as one broken off by a shutdown. */
      readonly isCounted: boolean;
    };

interface AttemptEnd {
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly ms: number;
  /** Beginning of the answer's body as text. */
  readonly answer: string | null;
  readonly after: AfterAttempt;
}

const ATTEMPT: Statement = {
  name: 'record_webhook_attempt',
  text: 'UPDATE webhook_attempts SET status = $3, ms = $4, error = $5, answer = $6 WHERE delivery_id = $1 AND no = $2',
};
/** A redelivery requested meanwhile starts its round whatever the outcome of this attempt. */
const DELIVERY: Statement = {
  name: 'record_webhook_delivery',
  text: `
    UPDATE webhook_deliveries SET last_status = $3, last_error = $4,
           state = CASE WHEN round = $2 THEN $5 ELSE state END,
           next_at = CASE WHEN round <> $2 THEN next_at
                          WHEN $5 = 'pending' THEN coalesce($1::timestamptz, now()) + $6::bigint * interval '1 millisecond' END,
           ended_at = CASE WHEN round = $2 AND $5 <> 'pending' THEN coalesce($1::timestamptz, now()) END,
           step = CASE WHEN round = $2 THEN step - $7::int ELSE step END
    WHERE id = $8`,
};
const DISABLE: Statement = {
  name: 'disable_webhook',
  text: `INSERT INTO webhook_disabled (tenant_id, url_key, url, disabled_at)
         SELECT tenant_id, url_key, url, coalesce($1::timestamptz, now()) FROM webhook_deliveries WHERE id = $2
         ON CONFLICT (tenant_id, url_key) DO NOTHING`,
};

/**
 * Records the end of an attempt, the state of its delivery, and when its receiver is next due; a
 * 410 (`disabled`) also disables the URL. Returns false when the lease was lost meanwhile: the
 * delivery belongs to another process then, and only the log of the attempt is completed.
 */
export async function recordAttempt(
  database: Database,
  delivery: TakenDelivery,
  end: AttemptEnd,
  now?: Date,
): Promise<boolean> {
  const { id, attemptNo, round } = delivery;
  const { status, ms, error, answer, after } = end;
  return database.transaction(async (tx) => {
    const isHeld = await holdReceiver(tx, delivery);
    await run(tx, ATTEMPT, [id, attemptNo, status, ms, error, answer]);
    if (!isHeld) return false;
    const [inMs, uncounted] =
      after.state === 'pending' ? [after.inMs, after.isCounted ? 0 : 1] : [0, 0];
    await run(tx, DELIVERY, [
      now ?? null,
      round,
      status,
      error,
      after.state,
      Math.round(inMs),
      uncounted,
      id,
    ]);
    if (after.state === 'disabled') await run(tx, DISABLE, [now ?? null, id]);
    await releaseHeldReceiver(tx, delivery, now);
    return true;
  });
}
