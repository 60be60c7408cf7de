import { setImmediate as nextTurn } from 'node:timers/promises';
import { Coalescer, type EqualCalls } from './coalescer.js';

/** Until the answers arrived, and the next statement is sent. */
async function settled(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

describe('statements for the calls of one process', () => {
  /** Calls of each statement with their counts, such as `a2`. */
  let sent: string[][];
  let running: PromiseWithResolvers<void>[];
  beforeEach(() => {
    [sent, running] = [[], []];
  });

  /** A call is answered with its name and its place among those of the same name. */
  const open = (maxStatements = 4, maxNames = 64) =>
    new Coalescer<string, string>({
      nameOf: (call) => call,
      maxStatements,
      maxNames,
      send: async (calls: readonly EqualCalls<string>[]) => {
        sent.push(calls.map(({ call, count }) => `${call}${count}`));
        const ended = Promise.withResolvers<void>();
        running.push(ended);
        await ended.promise;
        return calls.map(
          ({ call }) =>
            (n: number) =>
              `${call}.${n}`,
        );
      },
    });
  const end = async (): Promise<void> => {
    running.shift()?.resolve();
    await settled();
  };
  const fail = async (message: string): Promise<void> => {
    running.shift()?.reject(new Error(message));
    await settled();
  };

  it('have the calls of one turn of the event loop, each name once', async () => {
    const calls = open();
    const answers = ['a', 'b', 'a', 'c', 'a'].map((call) => calls.call(call));
    expect(sent).toEqual([]);
    await settled();
    expect(sent).toEqual([['a3', 'b1', 'c1']]);
    await end();
    expect(await Promise.all(answers)).toEqual(['a.0', 'b.0', 'a.1', 'c.0', 'a.2']);
  });

  it('have each name once at a time; other names do not wait for it', async () => {
    const calls = open();
    void calls.call('a');
    await settled();
    for (const call of ['a', 'a', 'b']) void calls.call(call);
    await settled();
    expect(sent).toEqual([['a1'], ['b1']]);
    void calls.call('a');
    await settled();
    expect(sent).toHaveLength(2);
    await end();
    expect(sent[2]).toEqual(['a3']);
  });

  it('are a bounded number; the rest is sent together when one ends', async () => {
    const calls = open(4);
    for (const call of 'abcd') {
      void calls.call(call);
      await settled();
    }
    for (const call of 'efgh') void calls.call(call);
    await settled();
    expect(sent).toHaveLength(4);
    await end();
    expect(sent[4]).toEqual(['e1', 'f1', 'g1', 'h1']);
  });

  it('have a bounded number of names', async () => {
    const calls = open(4, 64);
    for (let n = 0; n < 100; n++) void calls.call(String(n));
    await settled();
    expect(sent.map(({ length }) => length)).toEqual([64, 36]);
  });

  it('that fail reject their calls, and no later ones', async () => {
    const calls = open();
    const first = [calls.call('a'), calls.call('a'), calls.call('b')].map((call) =>
      expect(call).rejects.toThrow('gone'),
    );
    await settled();
    const second = expect(calls.call('a')).rejects.toThrow('still gone');
    await fail('gone');
    await fail('still gone');
    await Promise.all([...first, second]);
    const third = calls.call('a');
    await settled();
    await end();
    expect(await third).toBe('a.0');
  });

  it('leave nothing behind', async () => {
    const calls = open();
    for (let n = 0; n < 20; n++) {
      const call = calls.call(String(n));
      await settled();
      await end();
      await call;
    }
    const { waiting, underWay } = calls as unknown as Record<string, { readonly size: number }>;
    expect([waiting?.size, underWay?.size]).toEqual([0, 0]);
  });
});
