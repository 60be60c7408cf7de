import { HttpClient } from '@app/egress';
import { createGuard, VERSION, type Runtime } from '@app/runtime';
import { webhookBacklog } from './delivery-log.js';
import { Deliverer, type DelivererOptions } from './deliverer.js';

/** A receiver's server closes idle connections after 5 s or more; a POST on one that is closing would fail. */
const KEEP_ALIVE_MS = 4_000;

export interface OpenedDeliverer {
  readonly deliverer: Deliverer;
  /** Ends the attempts in flight, then the connections. */
  stop(): Promise<void>;
}

/** The deliverer of an API process. */
export function openDeliverer(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>,
  options: Pick<DelivererOptions, 'onRoom' | 'present' | 'resultUrl'>,
): OpenedDeliverer {
  const { settings, metrics, database, log } = runtime;
  const userAgent = `Trawl-Webhooks/${VERSION}`;
  const http = new HttpClient({
    guard: createGuard(settings, metrics),
    userAgent,
    keepAliveMs: KEEP_ALIVE_MS,
    // The time of the whole attempt rules.
    headersTimeoutMs: settings.webhookTimeoutMs,
    connectTimeoutMs: settings.webhookTimeoutMs,
  });
  const deliverer = new Deliverer({
    ...{ database, http, log, metrics, userAgent, ...options },
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
