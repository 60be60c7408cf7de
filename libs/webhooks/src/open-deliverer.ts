import { newId } from '@app/contracts';
import { HttpClient } from '@app/egress';
import { createGuard, VERSION, type Runtime } from '@app/runtime';
import { webhookBacklog } from './delivery-log.js';
import { Deliverer, type DelivererOptions } from './deliverer.js';
import { sendWebhook, type SendResult } from './send-webhook.js';
import { webhookHeaders } from './sign-webhook.js';
import { ensureSecrets } from './signing-secrets.js';

/** A receiver's server closes idle connections after 5 s or more; a POST on one that is closing would fail. */
const KEEP_ALIVE_MS = 4_000;

export interface OpenedDeliverer {
  readonly deliverer: Deliverer;
  /** Ends the attempts in flight, then the connections. */
  stop(): Promise<void>;
}

const USER_AGENT = `Trawl-Webhooks/${VERSION}`;

/** Follows the egress guard at each dial. */
export function openWebhookClient({
  settings,
  metrics,
}: Pick<Runtime, 'settings' | 'metrics'>): HttpClient {
  return new HttpClient({
    guard: createGuard(settings, metrics),
    userAgent: USER_AGENT,
    keepAliveMs: KEEP_ALIVE_MS,
    // The time of the whole attempt rules.
    headersTimeoutMs: settings.webhookTimeoutMs,
    connectTimeoutMs: settings.webhookTimeoutMs,
  });
}

/** Of one attempt that is not recorded. */
export interface TestDelivery extends Omit<SendResult, 'retryAfterMs'> {
  /** The `webhook-id`. */
  readonly id: string;
  readonly ms: number;
}

/** Sends an event once, now, signed like any other. */
export async function sendTestWebhook(
  { database, settings }: Pick<Runtime, 'database' | 'settings'>,
  http: HttpClient,
  event: {
    readonly tenantId: string;
    readonly url: string;
    readonly body: string;
    readonly signal: AbortSignal;
  },
): Promise<TestDelivery> {
  const { tenantId, url, body, signal } = event;
  const id = newId();
  const secrets = await ensureSecrets(database, tenantId);
  const signed = webhookHeaders(
    { id, at: new Date(), body },
    secrets.map(({ secret }) => secret),
  );
  const headers = { ...signed, 'user-agent': USER_AGENT };
  const startedMs = performance.now();
  const timeoutMs = settings.webhookTimeoutMs;
  const { status, error, answer } = await sendWebhook(http, {
    url,
    headers,
    body,
    timeoutMs,
    signal,
  });
  return { id, status, error, answer, ms: Math.round(performance.now() - startedMs) };
}

/** The deliverer of an API process. */
export function openDeliverer(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>,
  options: Pick<DelivererOptions, 'onRoom' | 'present' | 'resultUrl'>,
): OpenedDeliverer {
  const { settings, metrics, database, log } = runtime;
  const http = openWebhookClient(runtime);
  const deliverer = new Deliverer({
    ...{ database, http, log, metrics, userAgent: USER_AGENT, ...options },
    timeoutMs: settings.webhookTimeoutMs,
    concurrency: settings.webhookConcurrency,
  });
  return {
    deliverer,
    async stop() {
      await deliverer.stop();
      await http.close();
    },
  };
}

/** A round that counts waiting deliveries; see BackgroundLoop. */
export async function countBacklog({
  database,
  metrics,
}: Pick<Runtime, 'database' | 'metrics'>): Promise<null> {
  const { pending, oldestSeconds } = await webhookBacklog(database);
  metrics.webhookPending.set(pending);
  metrics.webhookOldestSeconds.set(oldestSeconds);
  return null;
}
