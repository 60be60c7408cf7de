import { until } from './until.js';

describe('until', () => {
  it('resolves with the first truthy value', async () => {
    const values = [0, '', null, 'here', 'too late'];
    await expect(until(() => values.shift(), { intervalMs: 1 })).resolves.toBe('here');
  });

  it('treats an error as "not yet"', async () => {
    let tries = 0;
    const condition = async () => {
      if (++tries < 3) throw new Error('refused');
      return tries;
    };
    await expect(until(condition, { intervalMs: 1 })).resolves.toBe(3);
  });

  it.each([
    ['the last value', () => false, 'the light after 30 ms; last value: false'],
    ['the last error', () => Promise.reject(new Error('refused')), 'last error: Error: refused'],
    ['a condition that hangs', () => new Promise<boolean>(() => {}), 'the condition never settled'],
  ])('names what it awaited and %s when it gives up', async (_name, condition, text) => {
    await expect(
      until(condition as () => boolean, { timeoutMs: 30, intervalMs: 5, what: 'the light' }),
    ).rejects.toThrow(text);
  });
});
