import type { CallToolResult } from '@modelcontextprotocol/server';
import { TrawlError } from '@app/client';
import { CliError } from '../../cli-error.js';
import { cleanWebLine } from '../text/clean-web-text.js';

const MAX_MESSAGE_CHARS = 600;

/** The result of a failed call: the problem, the fix, and the ids that an operator needs. Never a stack trace. */
export function failedResult(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: textOf(error) }] };
}

export function isExpected(error: unknown): boolean {
  return error instanceof TrawlError || error instanceof CliError;
}

function textOf(error: unknown): string {
  if (error instanceof TrawlError) return serviceText(error);
  if (error instanceof CliError) return lines(error.message, `Fix: ${error.fix}`);
  return lines(
    'The tool server failed in an unexpected way.',
    'Fix: call the tool once more. If it fails again, report the log of the tool server (stderr).',
  );
}

/** Fixes of the client's own errors, in the words of this program's settings. */
const OWN_FIXES: Readonly<Record<string, string>> = {
  network: 'Check that the service runs and that TRAWL_URL is its address.',
  timeout: 'Call again with less work: fewer pages, a smaller limit.',
  invalid_response: 'Check that TRAWL_URL is the address of Trawl, and any proxy on the way.',
};

/** Texts of errors can quote the web: each is shown on one line. */
function serviceText({ message, code, status, hint, requestId, retryAfterMs }: TrawlError): string {
  const facts = [
    `code ${code}`,
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  const fix = OWN_FIXES[code] ?? hint ?? '';
  const seconds = retryAfterMs === undefined ? 0 : Math.ceil(retryAfterMs / 1_000);
  return lines(
    `${cleanWebLine(message, MAX_MESSAGE_CHARS)} (${cleanWebLine(facts.join(', '), MAX_MESSAGE_CHARS)})`,
    fix === '' ? '' : `Fix: ${cleanWebLine(fix, MAX_MESSAGE_CHARS)}`,
    seconds === 0 ? '' : `Retry after ${seconds} seconds, not earlier.`,
  );
}

function lines(...all: readonly string[]): string {
  return all.filter((line) => line !== '').join('\n');
}
