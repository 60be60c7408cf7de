/**
 * Pages that wait in the broker beside those that are worked on: who comes next waits this part of a
 * page's time for them, and no fetcher waits for the next page.
 */
const WAITING_PART = 0.25;
const LEAST_WAITING = 2;
/** From round to round, while fetchers take all they are given. */
const GROWTH = 1.5;
/** What was seen of late counts half after this. */
const HALF_LIFE_MS = 2_000;

export interface BrokerRoomOptions {
  /** Most pages that wait in the broker. */
  readonly mostWaiting: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * How many pages may be leased now: as many as the fetchers work on, and some to wait.
 *
 * How many slots the fetchers have is told nowhere, and pages that begin and end between two rounds are never seen at
 * work: by what is seen alone, fetchers would be given two pages a round for good. So more is given from round to round
 * while none is left waiting, and less when more is left than should be.
 */
export class BrokerRoom {
  private readonly now: () => number;
  private workedOn = 0;
  private ahead = LEAST_WAITING;
  private atMs = 0;
  private wasFilled = false;

  constructor(private readonly options: BrokerRoomOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /**
   * @param leased pages in the broker or worked on, everybody's
   * @param waiting those of them that are in the broker
   */
  pages(leased: number, waiting: number): number {
    const { mostWaiting } = this.options;
    const nowMs = this.now();
    const kept = 0.5 ** ((nowMs - this.atMs) / HALF_LIFE_MS);
    this.atMs = nowMs;
    // Pages end in groups, and those that follow are not to come one by one.
    this.workedOn = Math.max(leased - waiting, this.workedOn * kept);
    const workedOn = Math.ceil(this.workedOn);
    const part = Math.max(LEAST_WAITING, workedOn * WAITING_PART);
    this.ahead = Math.min(mostWaiting, Math.max(part, this.adapted(waiting, part, kept)));
    return Math.min(workedOn + Math.ceil(this.ahead) - leased, mostWaiting - waiting);
  }

  private adapted(waiting: number, part: number, kept: number): number {
    if (waiting > 0) return this.ahead - Math.max(0, waiting - part);
    return this.ahead * (this.wasFilled ? GROWTH : kept);
  }

  /** What became of it: all of it was leased, or no more was due. */
  used(isFilled: boolean): void {
    this.wasFilled = isFilled;
  }
}
