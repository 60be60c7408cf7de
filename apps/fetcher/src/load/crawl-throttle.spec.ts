import { until } from '@app/testing';
import { CrawlThrottle } from './crawl-throttle.js';
import { EventLoopDelay } from './event-loop-delay.js';

const SIGNAL = new AbortController().signal;

describe('pages of crawls', () => {
  it.each([
    ['no scrape is running', false, 100],
    ['the process is not late', true, 1],
  ])('start at once when %s', async (_, isWaiting, delayMs) => {
    const throttle = new CrawlThrottle({
      isCallerWaiting: () => isWaiting,
      delayMs: () => delayMs,
      longestMs: 60_000,
    });
    let hasBegun = false;
    void throttle.turn(SIGNAL).then(() => (hasBegun = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasBegun).toBe(true);
  });

  it('wait while a scrape runs in a process that is late', async () => {
    let isWaiting = true;
    const options = { isCallerWaiting: () => isWaiting, delayMs: () => 100, longestMs: 60_000 };
    let hasBegun = false;
    const turn = new CrawlThrottle(options).turn(SIGNAL).then(() => (hasBegun = true));
    let looks = 0;
    await until(() => ++looks > 3);
    expect(hasBegun).toBe(false);
    isWaiting = false;
    await turn;
  });

  it('wait for a limited time, and not for a stopped job', async () => {
    const options = { isCallerWaiting: () => true, delayMs: () => 100 };
    await new CrawlThrottle({ ...options, longestMs: 1 }).turn(SIGNAL);
    await new CrawlThrottle({ ...options, longestMs: 60_000 }).turn(AbortSignal.abort());
  });
});

describe('the delay of an event loop', () => {
  it('rises when it is blocked, and falls again', async () => {
    const eventLoopDelay = new EventLoopDelay();
    try {
      await until(() => eventLoopDelay.delayMs < 5);
      const endsAt = performance.now() + 200;
      while (performance.now() < endsAt);
      expect(eventLoopDelay.delayMs).toBeGreaterThan(20);
      await until(() => eventLoopDelay.delayMs < 5);
    } finally {
      eventLoopDelay.close();
    }
  });
});
