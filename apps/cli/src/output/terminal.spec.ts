import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { captureTerminal } from '../../test/captured-terminal.js';
import { safeForTerminal, OutputClosed, Terminal } from './terminal.js';

const HOSTILE = 'a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\re\u202ef\u007f\u0000\tg\nü😀';
const SAFE = 'a]0;titleb[2Jc31mdef\tg\nü😀';

describe('what reaches a terminal', () => {
  it('has no control characters but tab and line feed', () => {
    const all = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));
    expect(safeForTerminal(all)).toMatch(/^\t\n[ -~]+[\u00a0-\u00ff]+$/);
    expect(safeForTerminal(HOSTILE)).toBe(SAFE);
  });

  it('is safe when it is shown, and untouched in a file', async () => {
    const shown = captureTerminal({ output: true });
    await shown.terminal.write(HOSTILE);
    expect(shown.output()).toBe(SAFE);
    const file = captureTerminal();
    await file.terminal.write(HOSTILE);
    expect(file.output()).toBe(HOSTILE);
    file.terminal.say(HOSTILE);
    expect(file.errors()).toBe(`${SAFE}\n`);
  });

  it('ends quietly when its reader is gone', async () => {
    const output = new PassThrough();
    const terminal = new Terminal({ input: new PassThrough(), output, errors: new PassThrough() });
    const gone = once(terminal.outputClosed, 'abort');
    output.destroy(Object.assign(new Error('closed'), { code: 'EPIPE' }));
    await gone;
    await expect(terminal.write('text')).rejects.toBeInstanceOf(OutputClosed);
  });
});
