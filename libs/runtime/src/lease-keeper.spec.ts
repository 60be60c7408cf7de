import type { Logger } from '@app/telemetry';
import { LeaseKeeper } from './lease-keeper.js';

const LEASE_MS = 30_000;
const CHECK_MS = 1_000;

describe('the leases of one process', () => {
  let renewed: (readonly string[])[];
  let lost: readonly string[];
  let warned: string[];
  /** Set: renewals wait for it. */
  let slow: PromiseWithResolvers<void> | null;
  let isFailing: boolean;
  const keepers: LeaseKeeper<string>[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    [renewed, lost, warned, slow, isFailing] = [[], [], [], null, false];
  });
  afterEach(() => {
    for (const keeper of keepers.splice(0)) keeper.close();
    jest.useRealTimers();
  });

  const open = (findLost?: (held: readonly string[]) => Promise<readonly string[]>) => {
    const keeper = new LeaseKeeper<string>({
      kind: 'things',
      log: { warn: (_: object, text: string) => warned.push(text) } as unknown as Logger,
      leaseMs: LEASE_MS,
      renew: async (held) => {
        renewed.push(held);
        await slow?.promise;
        if (isFailing) throw new Error('the database is gone');
        return lost;
      },
      ...(findLost ? { check: { everyMs: CHECK_MS, findLost } } : {}),
    });
    keepers.push(keeper);
    return keeper;
  };
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('are renewed together, three times within a lease, while one is held', async () => {
    const keeper = open();
    keeper.hold('a');
    keeper.hold('b');
    await pass(LEASE_MS);
    expect(renewed).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(keeper.release('a')).toBe(true);
    await pass(LEASE_MS / 3);
    expect(renewed.at(-1)).toEqual(['b']);
  });

  it('are not renewed while none is held, and again when one is', async () => {
    const keeper = open();
    keeper.hold('a');
    keeper.release('a');
    await pass(LEASE_MS * 2);
    expect([renewed.length, jest.getTimerCount()]).toEqual([0, 0]);
    keeper.hold('a');
    await pass(LEASE_MS);
    expect(renewed).toHaveLength(3);
  });

  it('are released once', () => {
    const keeper = open();
    keeper.hold('a');
    expect([keeper.release('a'), keeper.release('a')]).toEqual([true, false]);
  });

  it('that are lost end their work, and no other', async () => {
    const keeper = open();
    const [a, b] = [keeper.hold('a'), keeper.hold('b')];
    lost = ['a', 'never held'];
    await pass(LEASE_MS / 3);
    expect([a.aborted, b.aborted, keeper.held]).toEqual([true, false, ['b']]);
    expect(keeper.release('a')).toBe(false);
  });

  it('whose work ended during a renewal are not lost', async () => {
    const keeper = open();
    const signal = keeper.hold('a');
    lost = ['a'];
    slow = Promise.withResolvers();
    await pass(LEASE_MS / 3);
    keeper.release('a');
    slow.resolve();
    await pass(0);
    expect(signal.aborted).toBe(false);
  });

  it('are renewed again after a renewal that failed, and none is lost by it', async () => {
    const keeper = open();
    const signal = keeper.hold('a');
    isFailing = true;
    await pass(LEASE_MS / 3);
    isFailing = false;
    await pass(LEASE_MS / 3);
    expect([renewed.length, signal.aborted]).toEqual([2, false]);
    expect(warned).toEqual(['the leases of things were not renewed']);
  });

  it('are not renewed while the last renewal is under way', async () => {
    const keeper = open();
    keeper.hold('a');
    slow = Promise.withResolvers();
    await pass(LEASE_MS);
    expect(renewed).toHaveLength(1);
    slow.resolve();
    slow = null;
    await pass(LEASE_MS / 3);
    expect(renewed).toHaveLength(2);
  });

  it('are lost at the next check as well', async () => {
    const keeper = open(async (held) => held.filter((one) => one === 'a'));
    const [a, b] = [keeper.hold('a'), keeper.hold('b')];
    await pass(CHECK_MS);
    expect([a.aborted, b.aborted, renewed.length]).toEqual([true, false, 0]);
  });
});
