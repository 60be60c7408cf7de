export { type DependencyCheck, type Readiness, Health } from './health.js';
export * from './logger.js';
export * from './metrics.js';
export * from './ops-server.js';
export { annotateSpan, inSpan, openSpan, recordSpan, type OpenSpan } from './spans.js';
export * from './tracing.js';
export type { Tracing } from './tracing-options.js';
