import { setImmediate as nextTurn } from 'node:timers/promises';
import { RateGate } from './rate-gate.js';

/** A window that answers on command. */
class FakeWindow {
  readonly queries: (readonly unknown[])[] = [];
  private readonly held: { resolve: (rows: object[]) => void; reject: (error: Error) => void }[] =
    [];

  query = <R>(_statement: unknown, values: readonly unknown[] = []): Promise<R[]> => {
    this.queries.push(values);
    return new Promise<object[]>((resolve, reject) => this.held.push({ resolve, reject })) as never;
  };

  async answer(row: object): Promise<void> {
    this.held.shift()?.resolve([row]);
    await nextTurn();
  }

  async fail(message: string): Promise<void> {
    this.held.shift()?.reject(new Error(message));
    await nextTurn();
  }
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

  it('sends one request at once', async () => {
    const answer = ask();
    expect(window.queries).toEqual([['a', 'calls', 10, 1, null]]);
    await window.answer({ admitted: 1, remaining: 9, waitMs: 0 });
    expect(await answer).toEqual({ isAdmitted: true, remaining: 9, waitMs: 0 });
  });

  it('batches later requests; first come, first served', async () => {
    const first = ask();
    const others = [ask(), ask(), ask()];
    expect(window.queries).toHaveLength(1);
    await window.answer({ admitted: 1, remaining: 4, waitMs: 0 });
    await first;
    expect(window.queries[1]).toEqual(['a', 'calls', 10, 3, null]);
    const last = ask();
    await window.answer({ admitted: 2, remaining: 0, waitMs: 700 });
    expect(await Promise.all(others)).toEqual([
      { isAdmitted: true, remaining: 1, waitMs: 0 },
      { isAdmitted: true, remaining: 0, waitMs: 0 },
      { isAdmitted: false, remaining: 0, waitMs: 700 },
    ]);
    expect(window.queries[2]).toEqual(['a', 'calls', 10, 1, null]);
    await window.answer({ admitted: 0, remaining: 0, waitMs: 5 });
    expect(await last).toEqual({ isAdmitted: false, remaining: 0, waitMs: 5 });
    expect(window.queries).toHaveLength(3);
  });

  it('lets no tenant, window or limit wait for another', () => {
    void ask();
    void ask({ tenantId: 'b' });
    void ask({ window: 'polls' });
    void ask({ limit: 60 });
    expect(window.queries).toHaveLength(4);
  });

  it('rejects all waiting requests when the database fails, and recovers', async () => {
    const first = expect(ask()).rejects.toThrow('gone');
    const second = expect(ask()).rejects.toThrow('still gone');
    await window.fail('gone');
    await window.fail('still gone');
    await Promise.all([first, second]);
    const third = ask();
    await window.answer({ admitted: 1, remaining: 9, waitMs: 0 });
    expect(await third).toMatchObject({ isAdmitted: true });
  });

  it('drops empty queues', async () => {
    for (let n = 0; n < 20; n++) {
      const answer = ask({ tenantId: String(n) });
      await window.answer({ admitted: 1, remaining: 9, waitMs: 0 });
      await answer;
    }
    expect((gate as unknown as { lines: Map<string, unknown> }).lines.size).toBe(0);
  });
});
