import { TrawlError } from '@app/client';
import { CliWords } from './cli-words.js';
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

/** Next steps in the words of the command line, where the service names no correction of its own. */
const FIXES: Readonly<Record<string, (words: CliWords) => string>> = {
  invalid_request: ({ commandLine }) => `Correct it: ${commandLine} --help describes the options`,
  timeout: () => 'Try it with less work, such as fewer pages',
};

/** The line for the user, and the exit code. */
export function describeError(
  error: unknown,
  words: CliWords = new CliWords(null),
): DescribedError {
  if (error instanceof CliError)
    return { line: sentences(error.message, error.fix), exitCode: error.exitCode };
  if (error instanceof TrawlError)
    return {
      line: `${sentences(words.of(error.message), fixOf(error, words))} [${referenceOf(error)}]`,
      exitCode: error.retryable ? EXIT.unavailable : EXIT.failed,
    };
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  return {
    line: sentences(typeof code === 'string' ? message : `unexpected error: ${message}`),
    exitCode: EXIT.failed,
  };
}

function fixOf({ code, hint, details, retryable, retryAfterMs }: TrawlError, words: CliWords) {
  const isSpecific = hint !== undefined && details['hint'] === hint;
  if (!isSpecific && retryable && retryAfterMs !== undefined)
    return `Try again in ${Math.ceil(retryAfterMs / 1_000)} s`;
  const fix = isSpecific ? undefined : FIXES[code]?.(words);
  return fix ?? (hint === undefined ? undefined : words.of(hint));
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
