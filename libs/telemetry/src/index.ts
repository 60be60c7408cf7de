export * from './health.js';
export * from './logger.js';
export * from './metrics.js';
export * from './ops-server.js';
export {
  annotateSpan,
  inSpan,
  openSpan,
  recordSpan,
  type OpenSpan,
  type SpanAttributes,
} from './spans.js';
export * from './tracing.js';
export * from './tracing-options.js';
