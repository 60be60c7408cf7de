import { setImmediate as nextTurn } from 'node:timers/promises';
import { RateGate } from './rate-gate.js';

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
