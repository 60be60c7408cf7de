import type { BlobStoreEvents } from '@app/blobs';
import type { TaskQueueEvents } from '@app/broker';
import type { Database } from '@app/database';
import { recordSpan, type Logger, type Metrics } from '@app/telemetry';

/** Queue events as metrics and log lines. */
export function queueEvents(metrics: Metrics, log: Logger): TaskQueueEvents {
  return {
    published: (queue, result) => metrics.published.inc({ queue, result }),
    consumed: (queue, result, redelivered) =>
      metrics.consumed.inc({ queue, result, redelivered: String(redelivered) }),
    deadLettered: (queue, reason) => {
      metrics.deadLettered.inc({ queue, reason });
      log.error({ queue, reason }, 'message dead-lettered');
    },
    age: (queue, seconds) => metrics.messageAge.observe({ queue }, seconds),
    processed: (queue, result, seconds) =>
      metrics.processingSeconds.observe({ queue, result }, seconds),
    inFlight: (queue, count) => metrics.consumerInFlight.set({ queue }, count),
    slots: (queue, count) => metrics.consumerPrefetch.set({ queue }, count),
    reconnected: () => metrics.amqpReconnects.inc(),
    connected: (isConnected) => {
      metrics.amqpConnected.set(isConnected ? 1 : 0);
      log.info({ isConnected }, 'broker connection');
    },
    warned: (message, err) => log.warn({ err }, message),
  };
}

/** Storage events as metrics and spans. */
export function blobEvents(metrics: Metrics): BlobStoreEvents {
  return {
    operation: (operation, outcome, seconds) => {
      metrics.blobSeconds.observe({ operation, outcome }, seconds);
      const failed = outcome === 'error' || outcome === 'unavailable';
      recordSpan(`storage ${operation}`, seconds, {
        attributes: { 'trawl.storage.outcome': outcome },
        failed,
      });
    },
    transferred: (operation, bytes) => metrics.blobBytes.inc({ operation }, bytes),
  };
}

const WATCH_INTERVAL_MS = 5_000;

/** Samples the connection pool; returns a function that stops it. */
export function watchDatabase(database: Database, metrics: Metrics): () => void {
  const timer = setInterval(() => {
    const { total, idle, waiting } = database.poolCounts();
    metrics.dbConnections.set({ state: 'idle' }, idle);
    metrics.dbConnections.set({ state: 'busy' }, total - idle);
    metrics.dbWaiters.set(waiting);
  }, WATCH_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
