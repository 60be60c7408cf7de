export interface RpcError {
  readonly code: number;
  readonly message: string;
}

export interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: RpcError;
}

/** One end of a JSON-RPC 2.0 connection, for tests of servers: sends requests and keeps everything that arrives. */
export class JsonRpcPeer {
  /** Everything that arrived, oldest first. */
  readonly received: RpcMessage[] = [];
  private readonly waiting = new Map<string | number, (message: RpcMessage) => void>();
  private lastId = 0;

  constructor(private readonly send: (message: object) => void) {}

  receive(message: RpcMessage): void {
    this.received.push(message);
    if (message.id === undefined || message.method !== undefined) return;
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }

  /** Sends a request; `id` cancels it by a notification. */
  start(
    method: string,
    params: object = {},
  ): { readonly id: number; readonly response: Promise<RpcMessage> } {
    const id = ++this.lastId;
    const response = new Promise<RpcMessage>((resolve) => this.waiting.set(id, resolve));
    this.send({ jsonrpc: '2.0', id, method, params });
    return { id, response };
  }

  /** The result of a request; rejects with the error of the response. */
  async request(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const { result, error } = await this.start(method, params).response;
    if (!result) throw new Error(`${method}: ${error?.code} ${error?.message}`);
    return result;
  }

  notify(method: string, params: object = {}): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  notifications(method: string): readonly RpcMessage[] {
    return this.received.filter((message) => message.method === method);
  }
}
