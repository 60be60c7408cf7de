import { recordSpans } from './spans.js';
import type { Tracing, TracingOptions } from './tracing-options.js';

const OFF: Tracing = { stop: async () => undefined };

/** Starts to record spans, and to send them to the collector. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { endpoint } = options;
  if (endpoint === undefined) return OFF;
  const { exportSpans } = await import('./export-spans.js');
  const exporting = exportSpans({ ...options, endpoint });
  recordSpans(true);
  return {
    async stop() {
      recordSpans(false);
      await exporting.stop();
    },
  };
}
