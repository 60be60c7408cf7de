import { Deadline } from '@app/contracts';
import { Slots, type Slot, type SlotPriority, type Urgency } from './slots.js';

const LONG = () => Deadline.after(60_000);

/** Acquires a free slot. */
async function taken(slots: Slots, turn?: SlotPriority): Promise<Slot> {
  const slot = await slots.acquire({ deadline: LONG(), ...turn });
  if (slot === null) throw new Error('no slot was free');
  return slot;
}

/** Names in the order in which they got a slot; each keeps it until {@link Queue.releaseOne}. */
class Queue {
  readonly order: string[] = [];
  private readonly held: Slot[] = [];

  constructor(private readonly slots: Slots) {}

  /** Waits for a slot, or takes a free one. */
  async join(name: string, turn: SlotPriority = {}): Promise<void> {
    const slot = await this.slots.acquire({ deadline: LONG(), ...turn });
    if (slot === null) throw new Error(`${name} got no slot`);
    this.order.push(name);
    this.held.push(slot);
  }

  /** Releases the slot that was acquired first; the next in turn has it when this resolves. */
  async releaseOne(): Promise<void> {
    await this.settle();
    this.held.shift()?.release();
    await this.settle();
  }

  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  async drain(): Promise<readonly string[]> {
    await this.settle();
    while (this.held.length > 0) await this.releaseOne();
    return this.order;
  }
}

describe('Slots', () => {
  it('go to interactive work first, in order, and every fifth to crawl work', async () => {
    const queue = new Queue(new Slots(1));
    const join = (name: string, urgency: Urgency) => void queue.join(name, { urgency });
    join('first', 'interactive');
    for (const name of ['c1', 'c2']) join(name, 'crawl');
    for (let n = 1; n <= 6; n++) join(`i${n}`, 'interactive');
    expect((await queue.drain()).slice(1)).toEqual([
      ...['i1', 'i2', 'i3', 'i4', 'c1', 'i5', 'i6', 'c2'],
    ]);
  });

  it('count only turns that other work had to wait for', async () => {
    const queue = new Queue(new Slots(1));
    const join = (name: string, urgency: Urgency) => void queue.join(name, { urgency });
    join('first', 'interactive');
    for (let n = 1; n <= 5; n++) {
      join(`alone ${n}`, 'interactive');
      await queue.releaseOne();
    }
    join('crawl', 'crawl');
    join('scrape', 'interactive');
    expect((await queue.drain()).slice(-2)).toEqual(['scrape', 'crawl']);
  });

  it('pass a caller that is late or gave up', async () => {
    const slots = new Slots(1);
    const held = await taken(slots);
    expect(await slots.acquire({ deadline: Deadline.after(5) })).toBeNull();
    expect(await slots.acquire({ deadline: LONG(), signal: AbortSignal.abort() })).toBeNull();
    held.release();
    await expect(taken(slots)).resolves.toBeDefined();
  });

  it('of one tenant alone are all of them; of several they take turns', async () => {
    const queue = new Queue(new Slots(3));
    for (let n = 1; n <= 6; n++) void queue.join(`a${n}`, { tenantId: 'a' });
    for (let n = 1; n <= 2; n++) void queue.join(`b${n}`, { tenantId: 'b' });
    await queue.settle();
    expect(queue.order).toEqual(['a1', 'a2', 'a3']);
    expect((await queue.drain()).slice(3, 5)).toEqual(['b1', 'b2']);
  });

  it('keep one of several for short work of a tenant that used little', async () => {
    let nowMs = 0;
    const slots = new Slots(2, { keepsOne: true, now: () => nowMs });
    const queue = new Queue(slots);
    await queue.join('long', { tenantId: 'a' });
    nowMs += 60_000;
    void queue.join('long again', { tenantId: 'a' });
    void queue.join('large', { tenantId: 'b', isLarge: true });
    void queue.join('crawl', { tenantId: 'c', urgency: 'crawl' });
    await queue.join('short', { tenantId: 'd' });
    expect(queue.order).toEqual(['long', 'short']);
    // Now the free slot is the reserved one.
    await queue.releaseOne();
    expect(queue.order).toEqual(['long', 'short']);
    await queue.releaseOne();
    expect(queue.order).toEqual(['long', 'short', 'large']);
    expect(await queue.drain()).toEqual(['long', 'short', 'large', 'long again', 'crawl']);
  });

  it('are for any work where none is reserved, or there is only one', async () => {
    const crawl = { urgency: 'crawl', isLarge: true } as const;
    const two = new Slots(2);
    await taken(two, crawl);
    await taken(two, crawl);
    await taken(new Slots(1, { keepsOne: true }), crawl);
  });
});
