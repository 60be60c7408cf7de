/**
 * Pages that wait in the broker beside those that are worked on: who comes next waits this part of a
 * page's time for them, and no fetcher waits for the next page.
 */
const WAITING_PART = 0.25;
const LEAST_WAITING = 2;
/** Growth per round, while fetchers take all leased pages. */
const GROWTH = 1.5;
/** Half-life of recent observations. */
const HALF_LIFE_MS = 2_000;

export interface BrokerRoomOptions {
  /** Most pages that wait in the broker. */
  readonly mostWaiting: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * How many pages may be leased now: the number that fetchers work on, and some to wait.
 *
 * No process reports how many slots the fetchers have, and pages that begin and end between two
 * rounds are never observed in work: by observation alone, fetchers would get two pages a round
 * forever. So the number grows from round to round while none is left waiting, and shrinks when too
 * many are.
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
   * @param leased pages in the broker or in work, of all dispatchers
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

  /** Outcome: all room was used, or no more pages were due. */
  used(isFilled: boolean): void {
    this.wasFilled = isFilled;
  }
}
