import type { Deadline } from '@app/contracts';

/** A bounded number of places; those who find none wait in order, as long as their deadline allows. */
export class Slots {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** False when none became free in time, or the caller gave up. Who got one calls {@link release}. */
  async acquire(deadline: Deadline, signal?: AbortSignal): Promise<boolean> {
    if (this.free > 0) {
      this.free--;
      return true;
    }
    if (deadline.isPassed || signal?.aborted) return false;
    return new Promise((resolve) => {
      const end = (isMine: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(isMine);
      };
      const take = (): void => end(true);
      const giveUp = (): void => {
        const index = this.waiting.indexOf(take);
        if (index >= 0) this.waiting.splice(index, 1);
        end(false);
      };
      const timer = setTimeout(giveUp, deadline.remainingMs());
      signal?.addEventListener('abort', giveUp);
      this.waiting.push(take);
    });
  }

  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
