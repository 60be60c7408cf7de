import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { CallRunner } from '../calls/run-call.js';
import type { ToolCall } from '../calls/tool-call.js';

interface ToolOptions<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model: when to use it and what it returns. */
  readonly description: string;
  /** What a call costs, for the description and for docs/mcp.md. */
  readonly credits: string;
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  readonly input: Input;
  /** Of tools with a structured result. */
  readonly output?: z.ZodObject;
  run(args: z.output<Input>, call: ToolCall): Promise<CallToolResult>;
}

export interface DefinedTool {
  readonly name: string;
  readonly title: string;
  readonly credits: string;
  /** Names of the arguments. */
  readonly fields: readonly string[];
  register(server: McpServer, calls: CallRunner): void;
}

export function defineTool<Input extends z.ZodObject>(options: ToolOptions<Input>): DefinedTool {
  const { name, title, description, credits, annotations, input, output } = options;
  return {
    name,
    title,
    credits,
    fields: Object.keys(input.shape),
    register(server, calls) {
      const config = {
        title,
        description: `${description} Costs: ${credits}.`,
        annotations: { title, ...annotations },
        inputSchema: input as z.ZodObject,
        ...(output ? { outputSchema: output } : {}),
      };
      server.registerTool(name, config, (args, context) =>
        calls.run(name, context, (call) => options.run(args as z.output<Input>, call)),
      );
    },
  };
}

/** Reads the web: the same call can have another result, and nothing is changed anywhere. */
export const READS_THE_WEB = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
} as const;

/** Reads stored results of the account. */
export const READS_RESULTS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
