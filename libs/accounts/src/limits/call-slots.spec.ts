import type { Logger } from '@app/telemetry';
import { LiveSlots, SLOT_LEASE_MS } from './call-slots.js';

interface Query {
  readonly name: string;
  readonly values: readonly unknown[];
}

describe('the slots of one process', () => {
  let queries: Query[];
  let warned: string[];
  let failing: string | null;
  let slots: LiveSlots;

  beforeEach(() => {
    jest.useFakeTimers();
    [queries, warned, failing] = [[], [], null];
    const query = async ({ name }: { readonly name: string }, values: readonly unknown[]) => {
      queries.push({ name, values });
      if (name === failing) throw new Error('the database is gone');
      const taken = queries.filter((one) => one.name === 'take_call_slot').length - 1;
      return name === 'take_call_slot' ? [{ taken }] : [];
    };
    const log = { warn: (_: object, message: string) => warned.push(message) };
    slots = new LiveSlots({ query } as never, log as unknown as Logger);
  });
  afterEach(() => {
    slots.stop();
    jest.useRealTimers();
  });

  const beats = () => queries.filter(({ name }) => name === 'extend_call_slots');
  const releases = () => queries.filter(({ name }) => name === 'release_call_slot');

  it('are renewed in one statement until they are released', async () => {
    const first = await slots.take('a', 2);
    await slots.take('b', 2);
    await jest.advanceTimersByTimeAsync(SLOT_LEASE_MS / 3);
    expect(beats().map(({ values }) => [values[0], values[3]])).toEqual([
      [['a', 'b'], SLOT_LEASE_MS],
    ]);
    await first?.();
    await jest.advanceTimersByTimeAsync(SLOT_LEASE_MS / 3);
    expect(beats().at(-1)?.values[0]).toEqual(['b']);
  });

  it('are released once', async () => {
    const release = await slots.take('a', 1);
    await Promise.all([release?.(), release?.()]);
    await release?.();
    expect(releases()).toHaveLength(1);
    expect(releases()[0]?.values.slice(0, 2)).toEqual(['a', 0]);
  });

  it('that cannot be released are no longer renewed: their lease ends', async () => {
    failing = 'release_call_slot';
    await (
      await slots.take('a', 1)
    )?.();
    await jest.advanceTimersByTimeAsync(SLOT_LEASE_MS);
    expect([beats().length, warned]).toEqual([0, ['a slot of a call could not be given back']]);
  });

  it('refuse a caller without a free slot, and renew nothing for it', async () => {
    const none = new LiveSlots({ query: async () => [{ taken: null }] } as never, {} as Logger);
    expect(await none.take('a', 2)).toBeNull();
    expect(jest.getTimerCount()).toBe(0);
  });
});
