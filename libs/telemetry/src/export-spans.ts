// The OpenTelemetry SDK, loaded only when there is a collector to send to.
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  trace,
  type DiagLogger,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import { hostname } from 'node:os';
import type { Tracing, TracingOptions } from './tracing-options.js';

/** Spans that wait to be sent; further ones are dropped, so that a collector that is away costs 10 MB at most. */
const MAX_WAITING = 8_192;
const MAX_BATCH = 512;
const BATCH_MS = 2_000;
/** Of one request to the collector. */
const SEND_MS = 5_000;
/** For the last batches of a process that ends. */
const STOP_MS = 3_000;
const WARN_EVERY_MS = 60_000;

export function exportSpans(options: TracingOptions & { readonly endpoint: string }): Tracing {
  diag.setLogger(rarely(options.log), {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(options.endpoint),
    headers: { ...options.headers },
    timeoutMillis: SEND_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceOf(options),
    // The share counts for traces that callers began, too: they cannot make the service keep more.
    sampler: new TraceIdRatioBasedSampler(options.share),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: BATCH_MS,
        exportTimeoutMillis: SEND_MS,
      }),
    ],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    async stop() {
      const waited = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), waited]);
      trace.disable();
      context.disable();
      propagation.disable();
      diag.disable();
    },
  };
}

/** The path is added to that of the endpoint (OpenTelemetry specification, protocol exporter). */
function tracesUrl(endpoint: string): string {
  return new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href;
}

function resourceOf({ component, version }: TracingOptions) {
  return resourceFromAttributes({
    [ATTR_SERVICE_NAMESPACE]: 'trawl',
    [ATTR_SERVICE_NAME]: component === 'standalone' ? 'trawl' : `trawl-${component}`,
    [ATTR_SERVICE_VERSION]: version,
    [ATTR_SERVICE_INSTANCE_ID]: `${hostname()}-${process.pid}`,
  });
}

/** A collector that is away would fill the log: one warning a minute. */
function rarely(log: TracingOptions['log']): DiagLogger {
  let nextAtMs = 0;
  const warn = (message: string): void => {
    if (performance.now() < nextAtMs) return;
    nextAtMs = performance.now() + WARN_EVERY_MS;
    log.warn({ problem: message.slice(0, 500) }, 'traces are not delivered');
  };
  const ignore = (): void => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
