import { TrawlError } from '@app/client';
import { EXIT, type ExitCode } from './exit-codes.js';

/** A problem that the user can solve: shown as one line, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    /** How to fix it: a sentence. */
    readonly fix: string,
    readonly exitCode: ExitCode = EXIT.usage,
  ) {
    super(message);
  }
}

export interface DescribedError {
  /** One line. */
  readonly line: string;
  readonly exitCode: ExitCode;
}

/** The line for the user, and the exit code. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof CliError)
    return { line: sentences(error.message, error.fix), exitCode: error.exitCode };
  if (error instanceof TrawlError)
    return {
      line: `${sentences(error.message, error.hint)} [${referenceOf(error)}]`,
      exitCode: error.retryable ? EXIT.unavailable : EXIT.failed,
    };
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  return {
    line: sentences(typeof code === 'string' ? message : `unexpected error: ${message}`),
    exitCode: EXIT.failed,
  };
}

function referenceOf({ code, status, requestId }: TrawlError): string {
  const parts = [code, status === undefined ? undefined : `HTTP ${status}`];
  if (requestId !== undefined) parts.push(`request ${requestId}`);
  return parts.filter((part) => part !== undefined).join(', ');
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts
    .flatMap((part) => (part === undefined || part === '' ? [] : [part.trim()]))
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ')
    .replace(/[\r\n]+/g, ' ');
}
