import { Deadline } from '@app/contracts';
import { TurnLine, type Turn, type TurnOutcome, type TurnRequest } from './turn-line.js';

const LONG = () => Deadline.after(60_000);

describe('a line for slots', () => {
  /** Names of calls in the order of their turns, or with the reason why they got none. */
  const order: string[] = [];
  const held = new Map<string, Turn>();
  let line: TurnLine;
  beforeEach(() => {
    order.length = 0;
    held.clear();
  });
  afterEach(() => line.close());

  function take(name: string, over: Partial<TurnRequest> = {}): Promise<TurnOutcome> {
    const owner = { tenantId: name.charAt(0), isFree: false };
    return line.take({ owner, deadline: LONG(), ...over }).then((outcome) => {
      order.push(typeof outcome === 'string' ? `${name} ${outcome}` : name);
      if (typeof outcome !== 'string') held.set(name, outcome);
      return outcome;
    });
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function release(name: string): Promise<void> {
    held.get(name)?.release();
    await settled();
  }

  it('passes a slot that is released to the tenant whose turn it is', async () => {
    line = new TurnLine({ total: 2, perTenant: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2']) void take(name);
    await settled();
    expect([order, line.waiting]).toEqual([['a1', 'b1'], 5]);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']) await release(name);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3']);
  });

  it('lets the first call of another tenant overtake a hundred waiting ones', async () => {
    line = new TurnLine({ total: 2, perTenant: 1 });
    for (let n = 0; n < 100; n++) void take(`a${n}`);
    void take('x');
    void take('b');
    await settled();
    await release('a0');
    expect(order).toEqual(['a0', 'x', 'b']);
  });

  it('removes calls that are late or gave up, and loses no slot by it', async () => {
    line = new TurnLine({ total: 1 });
    void take('first');
    const abort = new AbortController();
    const late = take('t1', { deadline: Deadline.after(5) });
    const gone = take('t2', { signal: abort.signal });
    abort.abort();
    expect([await late, await gone]).toEqual(['late', 'aborted']);
    expect(await take('t3', { deadline: Deadline.after(0) })).toBe('late');
    expect(await take('t4', { signal: AbortSignal.abort() })).toBe('aborted');
    expect(line.waiting).toBe(0);
    await release('first');
    await take('next');
    expect([order.at(0), order.at(-1)]).toEqual(['first', 'next']);
  });

  it('keeps a slot that was assigned, whatever its signal says later', async () => {
    line = new TurnLine({ total: 1 });
    const abort = new AbortController();
    await take('a', { signal: abort.signal });
    abort.abort();
    void take('b');
    await settled();
    expect([order, line.waiting]).toEqual([['a'], 1]);
    await release('a');
    expect(order).toEqual(['a', 'b']);
  });

  it('assigns a free slot after the deadline, too', async () => {
    line = new TurnLine({ total: 1 });
    await take('a', { deadline: Deadline.after(0) });
    expect(order).toEqual(['a']);
  });

  it('refuses waiting and later calls when it closes, and keeps the slots that are held', async () => {
    line = new TurnLine({ total: 1 });
    void take('first');
    void take('second');
    line.close();
    void take('third');
    await settled();
    expect(order.toSorted()).toEqual(['first', 'second closed', 'third closed']);
    await release('first');
    expect(line.waiting).toBe(0);
  });

  it('leaves the choice of the next call to its user', async () => {
    line = new TurnLine({ total: 1 }, (turns) =>
      turns.next(({ owner }) => owner?.tenantId === 'b'),
    );
    for (const name of ['a', 'b']) void take(name);
    await settled();
    expect([order, line.waiting]).toEqual([['b'], 1]);
  });
});
