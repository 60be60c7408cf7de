import { pino, type Logger as PinoLogger, type LoggerOptions } from 'pino';
import { traceIds } from './spans.js';

export type Logger = PinoLogger;

/**
 * JSON lines. Keys and tenants' headers are never logged.
 * @param output where they go. @default standard output
 */
export function createLogger(
  options: { readonly level: string; readonly component: string },
  output?: { write(line: string): void },
): Logger {
  const settings: LoggerOptions = {
    level: options.level,
    base: { component: options.component },
    mixin: traceIds,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: pino.stdSerializers.errWithCause },
    redact: { paths: ['*.authorization', '*.cookie', '*["x-api-key"]'], censor: '[removed]' },
  };
  return output === undefined ? pino(settings) : pino(settings, output);
}

/**
 * Writes text for people where the log goes. Lines are written in the background, so only the log's own stream
 * puts the text after those that were logged before.
 */
export function printAfterLog(log: Logger, text: string): void {
  const { [pino.symbols.streamSym]: output } = log as unknown as LogWithStream;
  output.write(text);
}

interface LogWithStream {
  readonly [pino.symbols.streamSym]: { write(text: string): unknown };
}
