import { setImmediate as nextTurn } from 'node:timers/promises';
import { NOTHING_AGREED } from '../tenants/tenants.js';
import { countedIn, RateGate, windowOf } from './rate-window.js';

/** A window that answers on command. */
class FakeWindow {
  readonly queries: (readonly unknown[])[] = [];
  private readonly held: ((rows: object[]) => void)[] = [];

  query = <R>(_statement: unknown, values: readonly unknown[] = []): Promise<R[]> => {
    this.queries.push(values);
    return new Promise<object[]>((resolve) => this.held.push(resolve)) as never;
  };

  async answer(row: object): Promise<void> {
    this.held.shift()?.([row]);
    await settled();
  }
}

async function settled(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

describe('the gate of one process', () => {
  let window: FakeWindow;
  let gate: RateGate;
  beforeEach(() => {
    window = new FakeWindow();
    gate = new RateGate(window as never);
  });

  const ask = (over: object = {}) =>
    gate.pass({ tenantId: 'a', window: 'calls', limit: 10, ...over });

  it('batches requests that come while one is sent; first come, first served', async () => {
    const first = ask();
    await settled();
    const others = [ask(), ask(), ask()];
    await settled();
    expect(window.queries).toEqual([['a', 'calls', 10, 1, null]]);
    await window.answer({ admitted: 1, remaining: 4, waitMs: 0 });
    expect(await first).toEqual({ isAdmitted: true, remaining: 4, waitMs: 0 });
    expect(window.queries[1]).toEqual(['a', 'calls', 10, 3, null]);
    await window.answer({ admitted: 2, remaining: 0, waitMs: 700 });
    expect(await Promise.all(others)).toEqual([
      { isAdmitted: true, remaining: 1, waitMs: 0 },
      { isAdmitted: true, remaining: 0, waitMs: 0 },
      { isAdmitted: false, remaining: 0, waitMs: 700 },
    ]);
    expect(window.queries).toHaveLength(2);
  });

  it('lets no tenant, window or limit wait for another', async () => {
    void ask();
    for (const over of [{ tenantId: 'b' }, { window: 'polls' }, { limit: 60 }]) void ask(over);
    await settled();
    expect(window.queries).toHaveLength(4);
  });
});

describe('where a request counts', () => {
  it.each([
    ['free', 10, 60],
    ['hobby', 60, 60],
    ['pro', 200, 200],
    ['scale', 600, 600],
    ['custom', 3_000, 3_000],
  ] as const)('on the plan %s: %i calls a minute, %i questions', (plan, calls, polls) => {
    const tenant = { plan, agreed: NOTHING_AGREED };
    expect(countedIn(windowOf(false), tenant)).toEqual({
      window: 'calls',
      limit: calls,
    });
    expect(countedIn(windowOf(true), tenant)).toEqual({
      window: 'polls',
      limit: polls,
    });
  });

  it.each([
    [100_000, 100_000, 100_000],
    [5, 5, 60],
  ])('an agreed figure of %i replaces the plan', (agreed, calls, polls) => {
    const own = { ...NOTHING_AGREED, requestsPerMinute: agreed };
    const tenant = { plan: 'custom', agreed: own } as const;
    expect(countedIn(windowOf(false), tenant).limit).toBe(calls);
    expect(countedIn(windowOf(true), tenant).limit).toBe(polls);
  });
});
