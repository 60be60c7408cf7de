import { captureTerminal } from '../../test/captured-terminal.js';
import { whileWaiting } from './waiting.js';

describe('while a request runs', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('a terminal shows what and how long, and nothing is left of it', async () => {
    const { terminal, errors } = captureTerminal({ errors: true });
    const gate = Promise.withResolvers<string>();
    const shown = whileWaiting(
      terminal,
      `https://a.example/\u001b[2J${'x'.repeat(200)}`,
      gate.promise,
    );
    await jest.advanceTimersByTimeAsync(2_150);
    const lines = errors().split('\r\u001b[2K').slice(1);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toMatch(/^[|/\\-] 2 s {2}https:\/\/a\.example\/\[2Jx+$/);
    expect(lines.every((line) => line.length < 80)).toBe(true);
    gate.resolve('done');
    expect(await shown).toBe('done');
    expect(errors()).toMatch(/\r\u001b\[2K$/);
  });

  it('and is cleared when the request fails', async () => {
    const { terminal, errors } = captureTerminal({ errors: true });
    const gate = Promise.withResolvers<string>();
    const shown = whileWaiting(terminal, 'a', gate.promise);
    await jest.advanceTimersByTimeAsync(150);
    gate.reject(new Error('no'));
    await expect(shown).rejects.toThrow('no');
    expect(errors()).toMatch(/\r\u001b\[2K$/);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('a pipe gets nothing', async () => {
    const { terminal, errors } = captureTerminal();
    const gate = Promise.withResolvers<string>();
    const shown = whileWaiting(terminal, 'a', gate.promise);
    await jest.advanceTimersByTimeAsync(5_000);
    gate.resolve('done');
    await shown;
    expect(errors()).toBe('');
  });
});
