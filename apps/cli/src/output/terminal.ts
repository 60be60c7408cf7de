import type { Readable, Writable } from 'node:stream';
import { safeForTerminal } from './safe-text.js';

type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface TerminalStreams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: OutputStream;
  readonly errors: OutputStream;
}

/** The reader of standard output has closed it, as `head` does: there is nothing more to do, and no error. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

const USUAL_COLUMNS = 80;

/** Where the program reads and writes. Results go to standard output, everything else to standard error. */
export class Terminal {
  private closed: Error | undefined;
  private readonly closing = new AbortController();

  constructor(private readonly streams: TerminalStreams) {
    streams.output.on('error', (error: NodeJS.ErrnoException) => {
      this.closed = error.code === 'EPIPE' ? new OutputClosed(error.message) : error;
      this.closing.abort(this.closed);
    });
    // Without a reader of messages the results still matter.
    streams.errors.on('error', () => undefined);
  }

  get input(): TerminalStreams['input'] {
    return this.streams.input;
  }

  /** Aborted when standard output is closed. */
  get outputClosed(): AbortSignal {
    return this.closing.signal;
  }

  get isOutputShown(): boolean {
    return this.streams.output.isTTY === true;
  }

  get areErrorsShown(): boolean {
    return this.streams.errors.isTTY === true;
  }

  get columns(): number {
    return this.streams.errors.columns || USUAL_COLUMNS; // 0 under some recorders
  }

  /** Writes a result, at the pace of its reader. Text for a terminal loses its control characters. */
  async write(text: string): Promise<void> {
    if (this.closed) throw this.closed;
    const shown = this.isOutputShown ? safeForTerminal(text) : text;
    await new Promise<void>((resolve, reject) => {
      this.streams.output.write(shown, (error) => {
        if (error) reject(isPipe(error) ? new OutputClosed(error.message) : error);
        else resolve();
      });
    });
  }

  /** A line for the user on standard error. */
  say(line: string): void {
    this.streams.errors.write(`${safeForTerminal(line)}\n`);
  }

  /** Text for the terminal as it is, such as a progress bar. */
  draw(text: string): void {
    this.streams.errors.write(text);
  }
}

function isPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
}
