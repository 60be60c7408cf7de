import { PassThrough, Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { Terminal } from '../src/output/terminal.js';

/** A terminal whose output a test reads. */
export interface CapturedTerminal {
  readonly terminal: Terminal;
  readonly input: PassThrough;
  output(): string;
  errors(): string;
}

export function captureTerminal(
  shown: { output?: boolean; errors?: boolean } = {},
): CapturedTerminal {
  const written = { output: '', errors: '' };
  const collect = (name: 'output' | 'errors') => {
    const stream = new Writable({
      decodeStrings: false,
      write(text: string, _, done) {
        written[name] += text;
        done();
      },
    });
    // A terminal knows its colours, by the environment.
    const { getColorDepth } = WriteStream.prototype;
    return Object.assign(stream, { isTTY: shown[name] === true, getColorDepth });
  };
  const input = new PassThrough();
  const terminal = new Terminal({ input, output: collect('output'), errors: collect('errors') });
  return { terminal, input, output: () => written.output, errors: () => written.errors };
}
