import { guardMemory, MAX_BROWSER_PROCESS_MIB } from './guard-memory.js';

const MIB = 1024 ** 2;

describe('the memory guard of the browser process', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('ends it above 1 GiB, once and within a second', () => {
    const problems: string[] = [];
    let heldMiB = 1_024;
    guardMemory(
      ({ message }) => problems.push(message),
      MAX_BROWSER_PROCESS_MIB,
      () => heldMiB * MIB,
    );
    jest.advanceTimersByTime(60_000);
    expect(problems).toEqual([]);
    heldMiB = 1_025;
    jest.advanceTimersByTime(1_000);
    expect(problems).toEqual(['it used 1025 MiB of memory; the limit is 1024 MiB']);
    jest.advanceTimersByTime(60_000);
    expect(problems).toHaveLength(1);
  });
});
