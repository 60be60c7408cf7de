import { Deadline } from '@app/contracts';
import { ScanTurns, type ScanTurn, type TurnOutcome } from './scan-turns.js';

const LONG = () => Deadline.after(60_000);

describe('ScanTurns', () => {
  const order: string[] = [];
  const held = new Map<string, ScanTurn>();
  let turns: ScanTurns;
  beforeEach(() => {
    order.length = 0;
    held.clear();
  });
  afterEach(() => turns.close());

  /** `order` lists the tenants in the order of their turns. */
  function take(name: string, tenantId = name): Promise<TurnOutcome> {
    return turns.take(tenantId, LONG()).then((outcome) => {
      order.push(typeof outcome === 'string' ? `${name} ${outcome}` : name);
      if (typeof outcome !== 'string') held.set(name, outcome);
      return outcome;
    });
  }
  const told = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function release(name: string): Promise<void> {
    held.get(name)?.release();
    held.delete(name);
    await told();
  }

  it('never lets one tenant take all of them', async () => {
    turns = new ScanTurns({ total: 3, perTenant: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void take(name, 'a');
    await told();
    expect(order).toEqual(['a1', 'a2']);
    void take('b1', 'b');
    await told();
    expect(order).toEqual(['a1', 'a2', 'b1']);
    await release('b1');
    expect(order).toEqual(['a1', 'a2', 'b1']);
    await release('a1');
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('assigns the next to the tenant with the fewest, and in turns among those', async () => {
    turns = new ScanTurns({ total: 2, perTenant: 1 });
    for (const name of ['a1', 'a2', 'a3']) void take(name, 'a');
    for (const name of ['b1', 'b2']) void take(name, 'b');
    for (const name of ['c1', 'c2']) void take(name, 'c');
    await told();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']) await release(name);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3']);
  });

  it('lets the first of another tenant overtake a hundred waiting ones', async () => {
    turns = new ScanTurns({ total: 2, perTenant: 1 });
    for (let n = 0; n < 100; n++) void take(`a${n}`, 'a');
    void take('x', 'x');
    void take('b', 'b');
    await told();
    expect(order).toEqual(['a0', 'x']);
    await release('a0');
    expect(order).toEqual(['a0', 'x', 'b']);
  });

  it('counts the waiting scans', async () => {
    turns = new ScanTurns({ total: 2, perTenant: 1 });
    for (const name of ['a', 'b', 'c', 'd']) void take(name);
    await told();
    expect(turns.waiting).toBe(2);
    await release('a');
    expect(turns.waiting).toBe(1);
  });

  it('removes late or aborted scans, and loses no turn', async () => {
    turns = new ScanTurns({ total: 1, perTenant: 1 });
    void take('first');
    const abort = new AbortController();
    const late = turns.take('t', Deadline.after(5));
    const gone = turns.take('t', LONG(), abort.signal);
    abort.abort();
    expect([await late, await gone]).toEqual(['late', 'late']);
    expect(await turns.take('t', Deadline.after(0))).toBe('late');
    expect(await turns.take('t', LONG(), AbortSignal.abort())).toBe('late');
    expect(turns.waiting).toBe(0);
    await release('first');
    void take('next', 't');
    await told();
    expect(order).toEqual(['first', 'next']);
  });

  it('rejects waiting scans when it closes, and keeps assigned turns', async () => {
    turns = new ScanTurns({ total: 1, perTenant: 1 });
    void take('first');
    void take('second');
    turns.close();
    void take('third');
    await told();
    expect(order).toEqual(['first', 'second closed', 'third closed']);
    await release('first');
    expect(turns.waiting).toBe(0);
  });
});
