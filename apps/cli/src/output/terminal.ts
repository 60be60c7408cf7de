import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';

type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface TerminalStreams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: OutputStream;
  readonly errors: OutputStream;
}

type TextStyle = Parameters<typeof styleText>[0];

/** Text in colour where its stream shows colours: a terminal, unless NO_COLOR or FORCE_COLOR decides. */
export interface Painted {
  readonly text: string;
  readonly style: TextStyle;
}

export type TextPart = string | Painted;

export function paint(style: TextStyle, text: string): Painted {
  return { text, style };
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
  async write(...parts: readonly TextPart[]): Promise<void> {
    const { output } = this.streams;
    await this.send(rendered(parts, output, this.isOutputShown ? safeForTerminal : unchanged));
  }

  /** Writes a file as the result. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    await this.send(bytes);
  }

  /** A line for the user on standard error. */
  say(...parts: readonly TextPart[]): void {
    const { errors } = this.streams;
    errors.write(`${rendered(parts, errors, safeForTerminal)}\n`);
  }

  /** Text for the terminal as it is, such as a progress bar. */
  draw(text: string): void {
    this.streams.errors.write(text);
  }

  private async send(chunk: string | Uint8Array): Promise<void> {
    if (this.closed) throw this.closed;
    await new Promise<void>((resolve, reject) => {
      this.streams.output.write(chunk, (error) => {
        if (error) reject(isPipe(error) ? new OutputClosed(error.message) : error);
        else resolve();
      });
    });
  }
}

/** Made safe before it is styled: only styles of this program reach the terminal. */
function rendered(
  parts: readonly TextPart[],
  stream: OutputStream,
  safe: (text: string) => string,
): string {
  return parts
    .map((part) =>
      typeof part === 'string' ? safe(part) : styleText(part.style, safe(part.text), { stream }),
    )
    .join('');
}

function unchanged(text: string): string {
  return text;
}

function isPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
}

/**
 * Characters that control a terminal: C0 but tab and line feed, DEL, C1, and marks that change the direction of
 * writing. An escape sequence without its first character is harmless text.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of the web that a terminal shows and does not obey. */
export function safeForTerminal(text: string): string {
  return text.replace(CONTROLS, '');
}
