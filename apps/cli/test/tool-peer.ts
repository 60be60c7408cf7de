import { JsonRpcPeer } from './json-rpc-peer.js';

/** Result of a tool call, as clients of the Model Context Protocol receive it. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  };
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A client of a tool server, by hand: the handshake and calls of tools over any connection. */
export class ToolPeer extends JsonRpcPeer {
  async initialize(): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    this.notify('notifications/initialized');
    return result;
  }

  async tools(): Promise<readonly ListedTool[]> {
    return (await this.request('tools/list'))['tools'] as readonly ListedTool[];
  }

  async call(name: string, args: object, progressToken?: string): Promise<ToolResult> {
    return (await this.request(
      'tools/call',
      callParams(name, args, progressToken),
    )) as unknown as ToolResult;
  }

  startCall(name: string, args: object, progressToken?: string) {
    return this.start('tools/call', callParams(name, args, progressToken));
  }

  cancel(requestId: number): void {
    this.notify('notifications/cancelled', { requestId, reason: 'test' });
  }
}

function callParams(name: string, args: object, progressToken?: string): object {
  return {
    name,
    arguments: args,
    ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
  };
}

/** The texts of a result, one below the other. */
export function resultText({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}

/** The text between the marks of web content. */
export function webContentOf(result: ToolResult): string {
  const marked = /<web-content mark="(\w+)"[^>]*>\n([\s\S]*)\n<\/web-content mark="\1">/.exec(
    resultText(result),
  );
  if (!marked) throw new Error(`no web content in ${resultText(result).slice(0, 500)}`);
  return marked[2] ?? '';
}

/** The arguments with which a cut answer is continued. */
export function nextOf(result: ToolResult): Record<string, unknown> | undefined {
  const last = result.content.at(-1)?.text ?? '';
  const json = /call \w+ with [^{]*(\{.*\})/.exec(last)?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
}
