import { LoadSignals } from './load-governor.js';

const NO_LIMIT = { memory: () => null };

describe('a process', () => {
  let blockedMs: number;
  beforeEach(() => {
    jest.useFakeTimers();
    blockedMs = 0;
    // The clock of a blocked event loop goes on while its timers wait.
    const clock = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => clock() + blockedMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** Lets that many of the timer's intervals pass, each with the event loop blocked as long at its end. */
  function pass(intervals: number, delayMs: number): void {
    for (let n = 0; n < intervals; n++) {
      blockedMs += delayMs;
      jest.advanceTimersByTime(500);
    }
  }

  it.each<[string, boolean, number, number]>([
    ['is not overloaded while its timers are on time', false, 20, 0],
    ['is not overloaded while they are a little late', false, 20, 240],
    ['is not overloaded after one that was late', false, 1, 600],
    ['is overloaded when they were late for more than 3 of 5 s', true, 4, 300],
  ])('%s', (_what, isOverloaded, intervals, delayMs) => {
    const signals = new LoadSignals(NO_LIMIT);
    signals.start();
    pass(intervals, delayMs);
    expect(signals.isOverloaded()).toBe(isOverloaded);
    signals.stop();
  });

  it('is no longer overloaded 5 s later', () => {
    const signals = new LoadSignals(NO_LIMIT);
    signals.start();
    pass(10, 300);
    expect(signals.isOverloaded()).toBe(true);
    pass(10, 0);
    expect(signals.isOverloaded()).toBe(false);
    signals.stop();
  });

  it.each([
    [86, true],
    [85, false],
  ])('of whose memory %i %% are in use is overloaded: %s', (used, isOverloaded) => {
    const signals = new LoadSignals({ memory: () => ({ used, limit: 100 }) });
    expect(signals.isOverloaded()).toBe(isOverloaded);
  });
});
