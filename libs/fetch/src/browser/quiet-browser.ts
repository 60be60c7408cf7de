import type { Browser, BrowserContext, CDPSession, Page } from 'playwright';

interface Stream {
  removeAllListeners(event: 'data'): void;
  resume(): void;
}

interface Transport {
  /** Takes bytes from the pipe; a connection to a browser elsewhere has none. */
  _dispatch?: (chunk: Buffer) => void;
  onmessage?: (message: { readonly method?: string }) => void;
}

/** What Playwright has behind a browser. */
interface ServerBrowser {
  readonly options: {
    readonly browserProcess: {
      readonly process?: { readonly stdout: Stream; readonly stderr: Stream };
    };
  };
  readonly _connection: { readonly _transport: Transport };
}

interface ServerContext {
  newCDPSession(page: object): Promise<{ readonly _session?: CDPSession }>;
}

interface Internals {
  readonly _connection?: { readonly toImpl?: (client: object) => object | undefined };
}

const heard = new WeakMap<Browser, number>();

/** What a browser has sent since it became quiet, noise included. */
export function bytesHeard(browser: Browser): number {
  return heard.get(browser) ?? 0;
}

/**
 * Keeps what a page says from filling the memory of this process. Playwright keeps 300 lines of Chromium's output,
 * of any length, and 200 console messages of each page: a page that logs 10 MB a line filled gigabytes, and the text
 * made of the lines when the browser ended was longer than a string may be. Chromium has started when this is
 * called, so its output is of no more use, and is read and thrown away; long noise never leaves the pipe.
 *
 * Playwright offers no way to it: this reaches into the version that package.json pins, and says so when another is
 * found.
 */
export function quietBrowser(browser: Browser): void {
  const server = implOf<ServerBrowser>(browser);
  const program = server?.options?.browserProcess?.process;
  const transport = server?._connection?._transport;
  if (!program || !transport?._dispatch) throw new Error(UNKNOWN_PLAYWRIGHT);
  for (const stream of [program.stdout, program.stderr]) {
    stream.removeAllListeners('data');
    stream.resume();
  }
  const filter = new NoiseFilter();
  const dispatch = transport._dispatch.bind(transport);
  transport._dispatch = (chunk) => {
    heard.set(browser, bytesHeard(browser) + chunk.length);
    for (const part of filter.pass(chunk)) dispatch(part);
  };
}

/** As {@link quietBrowser}, for a browser elsewhere: its messages are whole and read when they come here. */
export function quietRemoteBrowser(browser: Browser): void {
  const transport = implOf<ServerBrowser>(browser)?._connection?._transport;
  const { onmessage } = transport ?? {};
  if (!transport || !onmessage) throw new Error(UNKNOWN_PLAYWRIGHT);
  transport.onmessage = (message) => {
    if (!NOISY_EVENTS.includes(message.method ?? '')) onmessage(message);
  };
}

/**
 * A session on the page without Playwright's own layers above it, which check and copy each command and event, and
 * record the stack of each: a tenth of this process's time. Its errors are those of the protocol.
 */
export async function rawSession(context: BrowserContext, page: Page): Promise<CDPSession> {
  const target = implOf<object>(page);
  const opened = target && (await implOf<ServerContext>(context)?.newCDPSession(target));
  if (!opened?._session?.send) throw new Error(UNKNOWN_PLAYWRIGHT);
  return opened._session;
}

function implOf<T>(client: object): T | undefined {
  return (client as Internals)._connection?.toImpl?.(client) as T | undefined;
}

const UNKNOWN_PLAYWRIGHT =
  'This version of Playwright is built otherwise than the pinned one. Install the version of package.json.';

/** What a page may say as much of as it likes, and nothing here listens to. */
const NOISY_EVENTS = [
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Network.webSocketFrameReceived',
  'Network.webSocketFrameSent',
  'Network.eventSourceMessageReceived',
];
const NOISY = NOISY_EVENTS.map((method) => Buffer.from(`{"method":"${method}"`));
const HEAD_BYTES = Math.max(...NOISY.map(({ length }) => length));

/**
 * Longest noisy message that passes. Playwright keeps the last 200 console messages of a page, and learns from short
 * ones that it sends itself whether a document it wrote has loaded.
 */
export const MAX_NOISE_BYTES = 16 * 1024;

const END = 0;

/**
 * Takes long console messages, errors and frames out of what Chromium sends over its pipe (messages of JSON, each
 * ended by a zero byte). At most {@link MAX_NOISE_BYTES} are held, whatever the length of a message.
 *
 * A message begins `unknown`: its bytes are held. Its method makes it `noisy` (held until it ends or is known to be long) or
 * `passing`; a long noisy one is `dropping`. With its end the next one begins.
 */
export class NoiseFilter {
  /** Of the message under way: what may yet turn out to be noise. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private state: 'unknown' | 'noisy' | 'passing' | 'dropping' = 'unknown';

  /** Those of the bytes that go on, in order. */
  pass(chunk: Buffer): Buffer[] {
    const out: Buffer[] = [];
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(END, start);
      const next = end === -1 ? chunk.length : end + 1;
      this.take(chunk.subarray(start, next), end !== -1, out);
      start = next;
    }
    return out;
  }

  private take(part: Buffer, isEnd: boolean, out: Buffer[]): void {
    if (this.state === 'passing') out.push(part);
    else if (this.state !== 'dropping') this.hold(part, isEnd, out);
    if (!isEnd) return;
    if (this.state !== 'dropping') this.release(out);
    this.held = [];
    this.heldBytes = 0;
    this.state = 'unknown';
  }

  private hold(part: Buffer, isEnd: boolean, out: Buffer[]): void {
    this.held.push(part);
    this.heldBytes += part.length;
    if (this.state === 'unknown' && (isEnd || this.heldBytes >= HEAD_BYTES)) {
      this.state = this.isNoisy() ? 'noisy' : 'passing';
    }
    if (this.state === 'passing') this.release(out);
    if (this.state !== 'noisy' || this.heldBytes <= MAX_NOISE_BYTES) return;
    this.state = 'dropping';
    this.held = [];
  }

  private isNoisy(): boolean {
    const [first] = this.held;
    const head = first && first.length >= HEAD_BYTES ? first : Buffer.concat(this.held);
    return NOISY.some((mark) => head.subarray(0, mark.length).equals(mark));
  }

  private release(out: Buffer[]): void {
    out.push(...this.held);
    this.held = [];
  }
}
