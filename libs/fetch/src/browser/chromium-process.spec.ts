import { ChromiumProcess } from './chromium-process.js';

describe('a bound on what a browser does', () => {
  const chromium = Object.create(ChromiumProcess.prototype, {
    browser: { value: {} },
  }) as ChromiumProcess;

  /** How often it was asked whether it is at work before it was given up. */
  async function askedWhile(isAtWork: (asked: number) => boolean): Promise<number> {
    let asked = 0;
    const never = new Promise<never>(() => {});
    const bounded = chromium.withinBound(
      never,
      1,
      () => new Error('late'),
      () => isAtWork(++asked),
    );
    await expect(bounded).rejects.toThrow('late');
    return asked;
  }

  it('is extended while the browser speaks, up to twelve times', async () => {
    expect(await askedWhile(() => false)).toBe(1);
    expect(await askedWhile((asked) => asked < 4)).toBe(4);
    expect(await askedWhile(() => true)).toBe(12);
  });

  it('resolves with the result of the work', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const late = () => new Error('late');
    const isAtWork = (): boolean => {
      resolve('done');
      return true;
    };
    expect(await chromium.withinBound(promise, 1, late, isAtWork)).toBe('done');
  });
});
