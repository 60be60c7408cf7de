import type { Deadline } from '@app/contracts';

/** Who asks: somebody waits for the answer, or nobody does. */
export type Urgency = 'interactive' | 'crawl';

interface Waiter {
  readonly urgency: Urgency;
  readonly take: () => void;
}

/** Of so many places that become free while both wait, one goes to who is not urgent: slow, never starved. */
const URGENT_IN_A_ROW = 4;

/**
 * A bounded number of places; those who find none wait as long as their deadline allows: in order, the
 * urgent before the others.
 */
export class Slots {
  private free: number;
  private waiting: Waiter[] = [];
  /** Places given to the urgent since one of the others had its turn. */
  private urgentInARow = 0;

  constructor(count: number) {
    this.free = count;
  }

  /** False when none became free in time, or the caller gave up. Who got one calls {@link release}. */
  async acquire(
    deadline: Deadline,
    signal?: AbortSignal,
    urgency: Urgency = 'interactive',
  ): Promise<boolean> {
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
      const waiter: Waiter = { urgency, take: () => end(true) };
      const giveUp = (): void => {
        this.waiting = this.waiting.filter((one) => one !== waiter);
        end(false);
      };
      const timer = setTimeout(giveUp, deadline.remainingMs());
      signal?.addEventListener('abort', giveUp);
      this.waiting.push(waiter);
    });
  }

  release(): void {
    const next = this.next();
    if (next) next.take();
    else this.free++;
  }

  private next(): Waiter | undefined {
    const isPatientDue = this.urgentInARow >= URGENT_IN_A_ROW;
    const wanted: Urgency = isPatientDue ? 'crawl' : 'interactive';
    const next = this.waiting.find(({ urgency }) => urgency === wanted) ?? this.waiting[0];
    if (next === undefined) return undefined;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    const hasPassedOver = next.urgency === 'interactive' && this.isAnybodyPatient();
    this.urgentInARow = hasPassedOver ? this.urgentInARow + 1 : 0;
    return next;
  }

  private isAnybodyPatient(): boolean {
    return this.waiting.some(({ urgency }) => urgency === 'crawl');
  }
}
