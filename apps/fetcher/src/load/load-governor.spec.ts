import { LoadGovernor } from './load-governor.js';

describe('crawl slots of a process', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are halved each second while it is overloaded, and come back one a second', () => {
    let isOverloaded = true;
    const seen: number[] = [];
    const governor = new LoadGovernor({ setConcurrency: (slots) => void seen.push(slots) }, 10, {
      start: () => undefined,
      stop: () => undefined,
      isOverloaded: () => isOverloaded,
    });
    governor.start();
    jest.advanceTimersByTime(4_000);
    expect(seen).toEqual([5, 2, 1]);
    isOverloaded = false;
    jest.advanceTimersByTime(20_000);
    expect(seen.slice(3)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    governor.stop();
  });
});
