import type { Browser } from 'playwright';
import { NOISY_EVENTS, NoiseFilter } from './noise-filter.js';

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

interface Internals {
  readonly _connection?: { readonly toImpl?: (browser: Browser) => ServerBrowser | undefined };
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
  const server = serverOf(browser);
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
    for (const part of filter.pass(chunk)) dispatch(part);
  };
}

/** As {@link quietBrowser}, for a browser elsewhere: its messages are whole and read when they come here. */
export function quietRemoteBrowser(browser: Browser): void {
  const transport = serverOf(browser)?._connection?._transport;
  const { onmessage } = transport ?? {};
  if (!transport || !onmessage) throw new Error(UNKNOWN_PLAYWRIGHT);
  transport.onmessage = (message) => {
    if (!NOISY_EVENTS.includes(message.method ?? '')) onmessage(message);
  };
}

function serverOf(browser: Browser): ServerBrowser | undefined {
  return (browser as unknown as Internals)._connection?.toImpl?.(browser);
}

const UNKNOWN_PLAYWRIGHT =
  'This version of Playwright is built otherwise than the pinned one: its log cannot be kept small. Install the version of package.json.';
