import { Deadline } from '@app/contracts';
import { Slots } from './slots.js';

const LONG = () => Deadline.after(60_000);

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
});
