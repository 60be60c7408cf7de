import { connect, type Socket } from 'node:net';

/** What came back of one request. */
export interface LoadAnswer {
  readonly status: number;
  /** From the write to the last byte, milliseconds. */
  readonly tookMs: number;
}

const HEAD_END = '\r\n\r\n';
/** `HTTP/1.1 200` */
const STATUS_AT = 9;

/**
 * One kept-alive HTTP/1.1 connection, one request at a time. It reads the status and Content-Length and
 * nothing else, so that the load costs less than what it is for.
 */
export class KeptConnection {
  private received: Buffer = Buffer.alloc(0);
  /** Bytes of the whole answer, once its head is here. */
  private expected = 0;
  private sentAtMs = 0;
  private onAnswer: (answer: LoadAnswer) => void = () => undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly onError: (error: Error) => void,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', onError);
    socket.on('close', () => onError(new Error('the server closed a connection')));
  }

  static async open(port: number, onError: (error: Error) => void): Promise<KeptConnection> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject).once('connect', () => {
        socket.off('error', reject);
        resolve();
      });
    });
    return new KeptConnection(socket, onError);
  }

  /** Sends a whole request; the answer must be read before the next one. */
  send(request: Buffer, onAnswer: (answer: LoadAnswer) => void): void {
    this.onAnswer = onAnswer;
    this.sentAtMs = performance.now();
    this.socket.write(request);
  }

  close(): void {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    if (this.expected === 0) this.readHead();
    if (this.expected === 0 || this.received.length < this.expected) return;
    const status = Number(this.received.toString('latin1', STATUS_AT, STATUS_AT + 3));
    this.received = Buffer.alloc(0);
    this.expected = 0;
    this.onAnswer({ status, tookMs: performance.now() - this.sentAtMs });
  }

  private readHead(): void {
    const end = this.received.indexOf(HEAD_END);
    if (end < 0) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(
      this.received.toString('latin1', 0, end),
    )?.[1];
    if (length === undefined) return this.onError(new Error('an answer without Content-Length'));
    this.expected = end + HEAD_END.length + Number(length);
  }
}
