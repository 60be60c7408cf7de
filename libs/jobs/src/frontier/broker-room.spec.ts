import { BrokerRoom } from './broker-room.js';

const ROUND_MS = 30;
const MOST_WAITING = 64;

/** Fetchers with this number of slots, observed every {@link ROUND_MS}. */
class Fetchers {
  nowMs = 0;
  ended = 0;
  mostWaiting = 0;
  private waiting = 0;
  private working: number[] = [];
  private readonly room = new BrokerRoom({ mostWaiting: MOST_WAITING, now: () => this.nowMs });

  constructor(
    private readonly slots: number,
    private readonly pageMs: number,
  ) {}

  get leased(): number {
    return this.waiting + this.working.length;
  }

  /** A round with at most `due` pages; returns how many there was room for. */
  round(due = Infinity): number {
    this.mostWaiting = Math.max(this.mostWaiting, this.waiting);
    const room = this.room.pages(this.leased, this.waiting);
    if (room > 0) {
      const given = Math.min(room, due);
      this.waiting += given;
      this.room.used(given >= room);
    }
    for (let ms = 0; ms < ROUND_MS; ms++) this.pass();
    return room;
  }

  private pass(): void {
    this.nowMs++;
    const left = this.working.filter((endsAtMs) => endsAtMs > this.nowMs);
    this.ended += this.working.length - left.length;
    const taken = Math.min(this.waiting, this.slots - left.length);
    this.waiting -= taken;
    this.working = [...left, ...Array.from({ length: taken }, () => this.nowMs + this.pageMs)];
  }
}

describe('the room for pages in the broker', () => {
  it.each([
    ['that end between two rounds', 16, 9],
    ['that take a round', 16, 30],
    ['that take long', 16, 400],
    ['on one slot', 1, 9],
    ['on more slots than may wait', 100, 60],
  ])('keeps fetchers busy with pages %s', (_what, slots, pageMs) => {
    const fetchers = new Fetchers(slots, pageMs);
    for (let n = 0; n < 100; n++) fetchers.round();
    const { ended, nowMs } = fetchers;
    for (let n = 0; n < 100; n++) fetchers.round();
    const possible = (slots * (fetchers.nowMs - nowMs)) / pageMs;
    // Between two rounds only the pages that may wait are taken; used-up room waits for the next.
    const given = Math.min(possible, (MOST_WAITING * (fetchers.nowMs - nowMs)) / ROUND_MS);
    expect(fetchers.ended - ended).toBeGreaterThan(0.7 * given);
  });

  it('lets a quarter of the pages in work wait, at least two, while none of them ends', () => {
    for (const [slots, waiting] of [
      [4, 2],
      [16, 4],
      [40, 10],
    ] as const) {
      const fetchers = new Fetchers(slots, 60_000);
      for (let n = 0; n < 100; n++) fetchers.round();
      expect(fetchers.leased).toBeGreaterThanOrEqual(slots + waiting);
      // The round that filled the last slot leased half as many again as the one before.
      expect(fetchers.leased).toBeLessThanOrEqual(slots + waiting + slots / 2);
    }
  });

  it('dispatches nothing while fetchers claim nothing', () => {
    const fetchers = new Fetchers(0, 1);
    for (let n = 0; n < 50; n++) fetchers.round();
    expect(fetchers.leased).toBe(2);
  });

  it('never exceeds the limit of waiting pages', () => {
    const fetchers = new Fetchers(1_000, 5);
    for (let n = 0; n < 50; n++) fetchers.round();
    expect(fetchers.mostWaiting).toBeLessThanOrEqual(MOST_WAITING);
    const full = new BrokerRoom({ mostWaiting: 3 });
    expect(full.pages(100, 3)).toBe(0);
    expect(full.pages(100, 2)).toBe(1);
  });

  it('does not grow on rounds without due pages, and falls back', () => {
    const fetchers = new Fetchers(16, 9);
    for (let n = 0; n < 50; n++) fetchers.round(1);
    expect(fetchers.round(1)).toBeLessThanOrEqual(3);
    for (let n = 0; n < 50; n++) fetchers.round();
    expect(fetchers.round()).toBeGreaterThan(10);
    for (let n = 0; n < 5; n++) fetchers.round(0);
    fetchers.nowMs += 60_000;
    expect(fetchers.round(0)).toBeLessThanOrEqual(3);
  });
});
