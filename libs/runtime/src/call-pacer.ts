import { performance } from 'node:perf_hooks';
import type { TaskOwner } from '@app/contracts';

/** An event loop that has work for a larger part of the time delays every step of a call, and a call has dozens. */
const BUSY_SHARE = 0.6;
/** A call waits no longer: what is slowed goes on. */
const LONGEST_MS = 500;
const POLL_MS = 20;
/** So long a tenant counts as active after a call, and as pressing after it sent several at a time. */
const RECENT_MS = 1_000;
/** Polls without a busy loop after which one call more begins per poll. */
const POLLS_PER_EXTRA_CALL = 10;
/** Tenants on the free plan count as one. */
const FREE = 'free plan';

export interface CallPacerOptions {
  /** The part of the time in which the event loop has work. @default measured */
  readonly loopShare?: () => number;
  /** @default 500 */
  readonly longestMs?: number;
}

interface Party {
  underWay: number;
  waiting: number;
  lastMs: number;
  /** When it last sent a call while another one was not answered. */
  pressedMs: number;
}

interface Waiter {
  readonly party: Party;
  readonly sinceMs: number;
  readonly begin: () => void;
}

/**
 * Decides when calls begin while the event loop is busy. A tenant that sends several calls at a time is pressing;
 * the tenants of the free plan count as one. While another tenant is active and not pressing, calls of pressing
 * tenants begin when the loop has time: one per check, and after 500 ms at the latest. So pressing tenants use
 * the capacity that is left, and a tenant that sends one call after the other hardly notices them.
 */
export class CallPacer {
  private readonly parties = new Map<string, Party>();
  private readonly waiting = new Set<Waiter>();
  private readonly loop = new LoopUse();
  private timer: NodeJS.Timeout | undefined;
  /** Polls since the loop was busy. */
  private quietPolls = 0;
  private sweptMs = 0;

  constructor(private readonly options: CallPacerOptions = {}) {}

  /**
   * Resolves when the call may begin, or its caller is gone; never rejects.
   * @returns to be called once, when it is answered
   */
  async begin(owner: TaskOwner, signal: AbortSignal): Promise<() => void> {
    const party = this.partyOf(owner);
    party.lastMs = performance.now();
    if (party.underWay + party.waiting > 0) party.pressedMs = party.lastMs;
    if (isPressing(party) && (this.waiting.size > 0 || this.isBusy) && this.isAnyCalm())
      await this.wait(party, signal);
    party.underWay++;
    return () => {
      party.underWay--;
      party.lastMs = performance.now();
    };
  }

  close(): void {
    for (const waiter of this.waiting) this.release(waiter);
    this.loop.close();
  }

  private get isBusy(): boolean {
    return (this.options.loopShare?.() ?? this.loop.share) > BUSY_SHARE;
  }

  private partyOf({ tenantId, isFree }: TaskOwner): Party {
    const name = isFree ? FREE : tenantId;
    const known = this.parties.get(name);
    if (known !== undefined) return known;
    this.forgetIdle();
    const party = { underWay: 0, waiting: 0, lastMs: 0, pressedMs: -RECENT_MS };
    this.parties.set(name, party);
    return party;
  }

  /** At most once per second, so that a call costs the same however many tenants there are. */
  private forgetIdle(): void {
    if (performance.now() - this.sweptMs < RECENT_MS) return;
    this.sweptMs = performance.now();
    for (const [name, party] of this.parties) if (!isActive(party)) this.parties.delete(name);
  }

  /** Whether a tenant is active and not pressing. */
  private isAnyCalm(): boolean {
    return this.parties.values().some((party) => isActive(party) && !isPressing(party));
  }

  private async wait(party: Party, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    const waiter: Waiter = { party, sinceMs: performance.now(), begin };
    const giveUp = (): void => this.release(waiter);
    signal.addEventListener('abort', giveUp, { once: true });
    this.waiting.add(waiter);
    party.waiting++;
    this.timer ??= setInterval(() => this.poll(), POLL_MS);
    await promise;
    signal.removeEventListener('abort', giveUp);
  }

  /** One at first, since its cost shows only at a later poll. What has waited the longest time begins anyway. */
  private poll(): void {
    this.quietPolls = this.isBusy ? 0 : this.quietPolls + 1;
    if (!this.isAnyCalm()) return [...this.waiting].forEach((waiter) => this.release(waiter));
    const longestMs = this.options.longestMs ?? LONGEST_MS;
    const dueMs = performance.now() - longestMs;
    const due = [...this.waiting].filter(({ sinceMs }) => sinceMs <= dueMs);
    const most = Math.ceil((this.waiting.size * POLL_MS) / longestMs);
    for (const waiter of due.slice(0, most)) this.release(waiter);
    for (let room = Math.ceil(this.quietPolls / POLLS_PER_EXTRA_CALL); room > 0; room--) {
      const next = this.next();
      if (next !== undefined) this.release(next);
    }
  }

  /** The first of those that have the fewest calls under way. */
  private next(): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.waiting)
      if (best === undefined || waiter.party.underWay < best.party.underWay) best = waiter;
    return best;
  }

  private release(waiter: Waiter): void {
    if (!this.waiting.delete(waiter)) return;
    waiter.party.waiting--;
    waiter.begin();
    if (this.waiting.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function isPressing({ pressedMs }: Party): boolean {
  return performance.now() - pressedMs < RECENT_MS;
}

function isActive({ underWay, waiting, lastMs }: Party): boolean {
  return underWay + waiting > 0 || performance.now() - lastMs <= RECENT_MS;
}

const EVERY_MS = 50;
/** Samples that a figure covers. */
const SAMPLES = 4;

/** The part of the last fifth of a second in which the event loop of this process had work. */
class LoopUse {
  private samples = [performance.eventLoopUtilization()];
  private readonly timer = setInterval(() => this.sample(), EVERY_MS).unref();

  get share(): number {
    return performance.eventLoopUtilization(this.samples[0]).utilization;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    this.samples = [...this.samples, performance.eventLoopUtilization()].slice(-SAMPLES);
  }
}
