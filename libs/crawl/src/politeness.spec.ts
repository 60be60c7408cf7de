import {
  adaptPace,
  requestedPauseMs,
  MAX_CRAWL_DELAY_MS,
  MAX_RETRY_AFTER_MS,
  pageHoldMs,
  type HostSignal,
} from './politeness.js';

const fast: HostSignal = { kind: 'answered', latencyMs: 50 };
const slow: HostSignal = { kind: 'answered', latencyMs: 2_000 };
const backoff: HostSignal = { kind: 'backoff', retryAfterMs: null };
const silent: HostSignal = { kind: 'silent' };
const LIMITS = { maxWindow: 16 };

describe('adaptPace', () => {
  it.each<[string, number, HostSignal[], number]>([
    ['grows by half a slot for a fast answer', 2, [fast], 2.5],
    ['grows for each', 2, [fast, fast, fast, fast], 4],
    ['stops at the ceiling', 15.8, [fast, fast], 16],
    ['halves when asked to back off', 8, [backoff], 4],
    ['halves once for a batch', 8, [backoff, backoff, fast], 4],
    ['halves on a slow-down', 8, [slow], 4],
    ['never goes below one', 1, [backoff], 1],
    ['stays when the host was not reached', 4, [silent], 4],
  ])('%s', (_, windowSize, signals, expected) => {
    expect(adaptPace({ windowSize, typicalMs: 100 }, signals, LIMITS).windowSize).toBe(expected);
  });

  it('does not call the first answer of a host slow', () => {
    expect(adaptPace({ windowSize: 2, typicalMs: null }, [slow], LIMITS)).toEqual({
      windowSize: 2.5,
      typicalMs: 2_000,
    });
  });

  it('does not call an answer slow that is fast in itself', () => {
    const next = adaptPace(
      { windowSize: 2, typicalMs: 10 },
      [{ kind: 'answered', latencyMs: 299 }],
      LIMITS,
    );
    expect(next.windowSize).toBe(2.5);
  });
});

describe('pageHoldMs', () => {
  it.each([
    [0, 0],
    [1_000, 3_000],
    [5_000, 10_000],
    [MAX_CRAWL_DELAY_MS, 10_000],
  ])('under a delay of %i ms is %i ms', (crawlDelayMs, expected) => {
    expect(pageHoldMs(crawlDelayMs)).toBe(expected);
  });
});

describe('requestedPauseMs', () => {
  it.each<[HostSignal[], number]>([
    [[fast, backoff], 0],
    [
      [
        { kind: 'backoff', retryAfterMs: 5_000 },
        { kind: 'backoff', retryAfterMs: 9_000 },
      ],
      9_000,
    ],
    [[{ kind: 'backoff', retryAfterMs: MAX_RETRY_AFTER_MS + 1 }], MAX_RETRY_AFTER_MS],
    [[], 0],
  ])('of %j is %i', (signals, expected) => {
    expect(requestedPauseMs(signals)).toBe(expected);
  });
});
