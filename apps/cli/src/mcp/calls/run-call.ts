import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { TrawlError } from '@app/client';
import { CallProgress, type ProgressReport } from './call-progress.js';
import { CliError } from '../../cli-error.js';
import type { ToolCall, ToolServices } from './tool-call.js';
import { cleanWebLine } from '../text/clean-web-text.js';

/** More calls at the same time are refused: each may hold a page of megabytes. */
export const MAX_CALLS_AT_ONCE = 32;

/** Runs the calls of one process: bounded in number, and each ends with a result. */
export class CallRunner {
  private readonly running = new Set<Promise<CallToolResult>>();

  constructor(private readonly services: ToolServices) {}

  async run(
    tool: string,
    context: ServerContext,
    work: (call: ToolCall) => Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    if (this.running.size >= MAX_CALLS_AT_ONCE) return failedResult(tooManyCalls());
    const call = this.attempt(tool, context, work);
    this.running.add(call);
    try {
      return await call;
    } finally {
      this.running.delete(call);
    }
  }

  /** Resolves when no call runs any more, or after the time limit: a cancelled call may still cancel its job. */
  async settled(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.all(this.running), late]);
    clearTimeout(timer);
  }

  private async attempt(
    tool: string,
    context: ServerContext,
    work: (call: ToolCall) => Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    const { log } = this.services;
    const { signal } = context.mcpReq;
    try {
      const progress = new CallProgress(progressSender(context, log));
      return await work({ ...this.services, tool, signal, progress });
    } catch (error) {
      // The SDK sends no response to a cancelled call.
      if (!isExpected(error) && !signal.aborted) log(`${tool}: ${describe(error)}`);
      return failedResult(error);
    }
  }
}

function tooManyCalls(): CliError {
  return new CliError(
    `${MAX_CALLS_AT_ONCE} calls are running already.`,
    'Wait until one of them completes. For many pages of one site use crawl.',
  );
}

function progressSender(
  { mcpReq }: ServerContext,
  log: (message: string) => void,
): ((report: ProgressReport) => void) | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (report) => {
    const params = { progressToken, ...report };
    mcpReq
      .notify({ method: 'notifications/progress', params })
      .catch((error: unknown) => log(`progress was not sent: ${String(error)}`));
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const MAX_MESSAGE_CHARS = 600;

/** The result of a failed call: the problem, the fix, and the ids that an operator needs. Never a stack trace. */
function failedResult(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: textOf(error) }] };
}

function isExpected(error: unknown): boolean {
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
