import { Deadline } from '@app/contracts';
import { Slots, type Urgency } from './slots.js';

const LONG = () => Deadline.after(60_000);

/** Whoever got the place has been told when this resolves. */
async function releaseOne(slots: Slots): Promise<void> {
  slots.release();
  await new Promise((resolve) => setImmediate(resolve));
}

describe('Slots', () => {
  it('gives out as many as there are, and the next when one comes back, in order', async () => {
    const slots = new Slots(2);
    expect([await slots.acquire(LONG()), await slots.acquire(LONG())]).toEqual([true, true]);
    const order: string[] = [];
    const first = slots.acquire(LONG()).then((isMine) => order.push(`first ${isMine}`));
    const second = slots.acquire(LONG()).then((isMine) => order.push(`second ${isMine}`));
    slots.release();
    await first;
    expect(order).toEqual(['first true']);
    slots.release();
    await second;
    expect(order).toEqual(['first true', 'second true']);
  });

  it('lets go of who is late or gave up, and loses no place by it', async () => {
    const slots = new Slots(1);
    await slots.acquire(LONG());
    const abort = new AbortController();
    const late = slots.acquire(Deadline.after(5));
    const gone = slots.acquire(LONG(), abort.signal);
    abort.abort();
    expect([await late, await gone]).toEqual([false, false]);
    expect(await slots.acquire(Deadline.after(0))).toBe(false);
    slots.release();
    expect(await slots.acquire(LONG())).toBe(true);
  });

  it('lets the urgent go first, in order, and every fifth place to who is not', async () => {
    const slots = new Slots(1);
    await slots.acquire(LONG());
    const order: string[] = [];
    const wait = (name: string, urgency: Urgency) =>
      slots.acquire(LONG(), undefined, urgency).then(() => order.push(name));
    const waits = [wait('c1', 'crawl'), wait('c2', 'crawl')];
    for (let n = 1; n <= 6; n++) waits.push(wait(`i${n}`, 'interactive'));
    for (const _ of waits) await releaseOne(slots);
    await Promise.all(waits);
    expect(order).toEqual(['i1', 'i2', 'i3', 'i4', 'c1', 'i5', 'i6', 'c2']);
  });

  it('counts only turns that somebody had to wait for', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const wait = (name: string, urgency: Urgency) =>
      slots.acquire(LONG(), undefined, urgency).then(() => order.push(name));
    await slots.acquire(LONG());
    for (let n = 1; n <= 5; n++) {
      const next = wait(`alone ${n}`, 'interactive');
      await releaseOne(slots);
      await next;
    }
    const both = [wait('crawl', 'crawl'), wait('scrape', 'interactive')];
    for (const _ of both) await releaseOne(slots);
    await Promise.all(both);
    expect(order.slice(-2)).toEqual(['scrape', 'crawl']);
  });
});
