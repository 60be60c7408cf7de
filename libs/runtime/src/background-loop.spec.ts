import { createLogger } from '@app/telemetry';
import { BackgroundLoop } from './background-loop.js';

const log = createLogger({ level: 'silent', component: 'spec' });

describe('BackgroundLoop', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function loopOf(round: () => Promise<number | null>) {
    return new BackgroundLoop({ name: 'spec', log, intervalMs: 1_000, minGapMs: 10, round });
  }

  it('runs at once, then at its interval', async () => {
    const round = jest.fn(async () => null);
    const loop = loopOf(round);
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(round).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(999);
    expect(round).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(round).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  it('runs again when the round requests it, and no later than the interval', async () => {
    const wishes = [0, 50, 5_000];
    const round = jest.fn(async () => wishes.shift() ?? null);
    const loop = loopOf(round);
    loop.start();
    await jest.advanceTimersByTimeAsync(1);
    expect(round).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(50);
    expect(round).toHaveBeenCalledTimes(3);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(round).toHaveBeenCalledTimes(4);
    await loop.stop();
  });

  it('makes one round of many wakes', async () => {
    const round = jest.fn(async () => null);
    const loop = loopOf(round);
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    for (let n = 0; n < 5; n++) loop.wake();
    await jest.advanceTimersByTimeAsync(10);
    expect(round).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  it('is not delayed for ever by repeated wakes', async () => {
    const round = jest.fn(async () => null);
    const loop = loopOf(round);
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    for (let n = 0; n < 10; n++) {
      loop.wake();
      await jest.advanceTimersByTimeAsync(5);
    }
    expect(round.mock.calls.length).toBeGreaterThan(3);
    await loop.stop();
  });

  it('goes on after a round that failed', async () => {
    const round = jest.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue(null);
    const loop = loopOf(round);
    loop.start();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(round).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  it('waits for the round in progress when stopped, and starts none after', async () => {
    let finish = (): void => undefined;
    const round = jest.fn(() => new Promise<null>((resolve) => (finish = () => resolve(null))));
    const loop = loopOf(round);
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    finish();
    await stopping;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(round).toHaveBeenCalledTimes(1);
  });
});
