import type { LaunchResult } from '@app/fetch';
import { BackgroundLoop, type Runtime } from '@app/runtime';
import { startConsumers } from './consumers/start-consumers.js';
import { DeletionCost } from './load/deletion-cost.js';
import { LoadGovernor } from './load/load-governor.js';
import { openComponents } from './open-components.js';

export interface RunningFetcher {
  /** The local browsers, once one was tried and the result logged; null if none are wanted. */
  readonly tried: Promise<LaunchResult | null>;
  /** Accepts no new tasks and finishes the running ones; the rest returns to the queue. */
  drain(timeoutMs: number): Promise<{ readonly abandoned: number }>;
  close(): Promise<void>;
}

/** Wires the fetcher and starts consuming once the database is ready. */
export async function startFetcher(runtime: Runtime): Promise<RunningFetcher> {
  const { settings, metrics, log } = runtime;
  if (settings.fetchAllowPrivate !== '') {
    log.warn({ fetchAllowPrivate: settings.fetchAllowPrivate }, 'private targets may be fetched');
  }
  const opened = await openComponents(runtime);
  await runtime.databaseReady;
  const { interactive, crawls } = await startConsumers(runtime, opened.components);
  const governor = crawls && new LoadGovernor(crawls, settings.crawlConcurrency);
  governor?.start();
  const consumers = crawls ? [...interactive, crawls] : interactive;
  const deletionCost = settings.deletionCostPod
    ? deletionCostLoop(settings.deletionCostPod, consumers, log)
    : null;
  deletionCost?.start();
  return {
    tried: opened.tried,
    async drain(timeoutMs) {
      governor?.stop();
      await deletionCost?.stop();
      const drained = await Promise.all(consumers.map((one) => one.drain(timeoutMs)));
      const abandoned = drained.reduce((sum, one) => sum + one.abandoned, 0);
      metrics.drainAbandoned.inc(abandoned);
      return { abandoned };
    },
    close: () => opened.close(),
  };
}

/** The Kubernetes documentation advises against frequent updates; autoscalers remove one pod per minute. */
const DELETION_COST_MS = 30_000;

function deletionCostLoop(
  pod: string,
  consumers: readonly { readonly inFlight: number }[],
  log: Runtime['log'],
): BackgroundLoop {
  const inFlight = (): number => consumers.reduce((sum, one) => sum + one.inFlight, 0);
  const cost = new DeletionCost({ pod, inFlight });
  return new BackgroundLoop({
    ...{ name: 'deletion cost', intervalMs: DELETION_COST_MS, log },
    round: () => cost.round(),
  });
}
