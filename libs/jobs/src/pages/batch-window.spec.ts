import { BatchWindow } from './batch-window.js';

describe('gathering', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** A gathering of so many things, and whether its wait is over. */
  function gatheringOf(enough: number) {
    const seen = { count: 0, isOver: false };
    const gathering = new BatchWindow(() => seen.count >= enough);
    const add = (): void => {
      seen.count++;
      gathering.arrived();
    };
    const wait = (): void => void gathering.wait(40).then(() => (seen.isOver = true));
    return { seen, add, wait };
  }

  const settled = () => jest.advanceTimersByTimeAsync(0);

  it('does not wait when the batch is full', async () => {
    const { seen, add, wait } = gatheringOf(1);
    add();
    wait();
    await settled();
    expect(seen.isOver).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends when the batch is full, and leaves no timer behind', async () => {
    const { seen, add, wait } = gatheringOf(2);
    wait();
    add();
    await settled();
    expect(seen.isOver).toBe(false);
    add();
    await settled();
    expect(seen.isOver).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends after its time with the items it has', async () => {
    const { seen, add, wait } = gatheringOf(3);
    wait();
    add();
    await jest.advanceTimersByTimeAsync(39);
    expect(seen.isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(seen.isOver).toBe(true);
  });
});
