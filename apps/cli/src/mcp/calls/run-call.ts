import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { CallProgress, type ProgressReport } from './call-progress.js';
import { CliError } from '../../cli-error.js';
import { failedResult, isExpected } from './failed-result.js';
import type { ToolCall, ToolServices } from './tool-call.js';

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
