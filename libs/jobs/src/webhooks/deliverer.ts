import type { HttpClient } from '@app/egress';
import { ensureSecrets } from './signing-secrets.js';
import { recordAttempt, type AfterAttempt } from './record-attempt.js';
import { takeDeliveries, type ClosedDelivery } from './take-deliveries.js';
import {
  type AttemptError,
  type DeliveredEvent,
  type EndedJob,
  type TakenDelivery,
} from './delivery.js';
import { type Database } from '@app/database';
import type { Logger, Metrics } from '@app/telemetry';
import { deliveredName } from './event-name.js';
import { MAX_ATTEMPTS, retryWaitMs } from './retry-schedule.js';
import { sendWebhook, type SendResult } from './send-webhook.js';
import { webhookHeaders } from './sign-webhook.js';

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
