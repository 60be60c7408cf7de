import { createRequire } from 'node:module';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { build } from 'pino-pretty';
import { traceIds } from './spans.js';

export type Logger = PinoLogger;

/**
 * JSON lines; on a terminal time, level and text. Keys and tenants' headers are never logged.
 * @param output where they go. @default standard output
 */
export function createLogger(
  { level, component }: { readonly level: string; readonly component: string },
  output: DestinationStream | undefined = process.stdout.isTTY ? readable() : undefined,
): Logger {
  return pino(
    {
      level,
      base: { component },
      mixin: traceIds,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.errWithCause },
      redact: { paths: ['*.authorization', '*.cookie', '*["x-api-key"]'], censor: '[removed]' },
    },
    output,
  );
}

/** Lines for people. Loaded only on a terminal. */
function readable(): DestinationStream {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof build;
  return pretty({
    sync: true,
    ignore: 'component',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
  });
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
