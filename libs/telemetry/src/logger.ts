import { pino, type Logger as PinoLogger } from 'pino';
import { traceIds } from './spans.js';

export type Logger = PinoLogger;

/** JSON lines on standard output. Keys and tenants' headers are never logged. */
export function createLogger(options: {
  readonly level: string;
  readonly component: string;
}): Logger {
  return pino({
    level: options.level,
    base: { component: options.component },
    mixin: traceIds,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: pino.stdSerializers.errWithCause },
    redact: { paths: ['*.authorization', '*.cookie', '*["x-api-key"]'], censor: '[removed]' },
  });
}
