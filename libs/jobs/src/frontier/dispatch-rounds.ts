import type { Database } from '@app/database';
import {
  dispatchCandidates,
  leasePages,
  nextDueInMs,
  type DispatchCandidate,
  type DispatchedBatch,
  type DispatchTurn,
} from './dispatch-pages.js';

export interface DispatchRoundsOptions {
  readonly leaseMs: number;
  /** Called with pages that were leased, before the next ones are. */
  readonly publish: (batches: readonly DispatchedBatch[]) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export interface DispatchedRound {
  readonly pages: number;
  /** Milliseconds until another round is worth while: 0 for at once, null when only news will help. */
  readonly waitMs: number | null;
}

/** Pages of a job per turn: enough that pages which end together are finished together. */
const PAGES_PER_TURN = 4;
const MOST_TURNS = 64;
/** Of more tenants than these some have their turn in the next round, so that none gets but a page. */
const TENANTS_IN_A_ROUND = 16;
/** Turns in one transaction: it keeps those who end pages of these jobs waiting for some milliseconds. */
const TURNS_AT_ONCE = 8;
/**
 * The next jobs are read for many rounds: reading them scans every running job. A new job waits
 * that long at most, and not at all while every candidate gets a turn in each round.
 */
const MOST_CANDIDATES = 256;
const GOOD_FOR_MS = 100;
/** Due pages wait briefly for another transaction's lock. */
const MIN_WAIT_MS = 5;

/** Leases due pages in rounds, fairly over tenants and their jobs. Any number may work at one frontier. */
export class DispatchRounds {
  private waiting: readonly DispatchCandidate[] = [];
  private readAtMs = -Infinity;
  private due: { readonly atMs: number | null; readonly readAtMs: number } | null = null;
  private readonly now: () => number;

  constructor(
    private readonly database: Database,
    private readonly options: DispatchRoundsOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
  }

  /** @param room pages wanted at most, at least 1 */
  async round(room: number): Promise<DispatchedRound> {
    await this.refresh();
    const { pages, isMore } = await this.lease(this.plan(room));
    if (this.waiting.length > 0 || (pages > 0 && isMore)) return { pages, waitMs: 0 };
    // In any case: no event announces a host whose pause ends meanwhile.
    return { pages, waitMs: await this.untilDue() };
  }

  private async refresh(): Promise<void> {
    if (this.waiting.length > 0 && this.now() - this.readAtMs <= GOOD_FOR_MS) return;
    this.readAtMs = this.now();
    this.waiting = await dispatchCandidates(this.database, MOST_CANDIDATES);
  }

  /** Tenants with the fewest pages in flight are levelled up; tenants take turns. */
  private plan(room: number): readonly DispatchTurn[] {
    const tenants = [...Map.groupBy(this.waiting, ({ tenantId }) => tenantId).values()]
      .map((own) => ({ own, busy: own[0]?.busy ?? 0 }))
      .toSorted((a, b) => a.busy - b.busy);
    const least = Math.ceil(room / TENANTS_IN_A_ROUND);
    let left = room;
    const turns = tenants.map(({ own }, n) => {
      const level = shareOf(
        tenants.slice(n).map(({ busy }) => busy),
        left,
      );
      const share = Math.min(left, level > 0 ? Math.max(level, least) : 0);
      left -= share;
      return turnsOf(own, share);
    });
    const planned = inTurns(turns);
    this.waiting = withoutThose(planned, this.waiting);
    return planned;
  }

  private async lease(
    turns: readonly DispatchTurn[],
  ): Promise<{ readonly pages: number; readonly isMore: boolean }> {
    const { leaseMs, publish } = this.options;
    let pages = 0;
    let isMore = false;
    for (let at = 0; at < turns.length; at += TURNS_AT_ONCE) {
      const some = turns.slice(at, at + TURNS_AT_ONCE);
      const batches = await leasePages(this.database, some, { leaseMs });
      if (batches.length > 0) await publish(batches);
      const got = batches.reduce((sum, { messages }) => sum + messages.length, 0);
      pages += got;
      isMore ||= got > 0 && got >= some.reduce((sum, turn) => sum + turn.pages, 0);
    }
    return { pages, isMore };
  }

  /** Reading it scans every running job too: a pause that began since is seen soon after. */
  private async untilDue(): Promise<number | null> {
    const ageMs = this.due ? this.now() - this.due.readAtMs : Infinity;
    if (this.due === null || ageMs >= GOOD_FOR_MS) {
      const inMs = await nextDueInMs(this.database);
      const readAtMs = this.now();
      this.due = { atMs: inMs === null ? null : readAtMs + inMs, readAtMs };
      return inMs === null ? null : Math.max(inMs, MIN_WAIT_MS);
    }
    const inMs = (this.due.atMs ?? Infinity) - this.now();
    return Math.max(Math.min(inMs, GOOD_FOR_MS - ageMs), MIN_WAIT_MS);
  }
}

function turnsOf(own: readonly DispatchCandidate[], share: number): DispatchTurn[] {
  const count = Math.min(own.length, MOST_TURNS, Math.ceil(share / PAGES_PER_TURN));
  const pages = Math.max(1, Math.floor(share / count));
  return own.slice(0, count).map((candidate) => ({ ...candidate, pages }));
}

/** Those left of a tenant have their turn behind tenants that got less. */
function withoutThose(
  planned: readonly DispatchTurn[],
  waiting: readonly DispatchCandidate[],
): DispatchCandidate[] {
  const nameOf = ({ jobId, host }: DispatchCandidate): string => `${jobId} ${host}`;
  const given = new Set(planned.map(nameOf));
  const taken = Map.groupBy(planned, ({ tenantId }) => tenantId);
  const pagesOf = (tenantId: string): number =>
    (taken.get(tenantId) ?? []).reduce((sum, { pages }) => sum + pages, 0);
  return waiting
    .filter((one) => !given.has(nameOf(one)))
    .map((one) => ({ ...one, busy: one.busy + pagesOf(one.tenantId) }));
}

/**
 * The part of `room` pages that the first gets when they are shared as evenly as possible: the one with the fewest in
 * flight is filled up to the next, then both together, and so on.
 * @param busy pages that each has in flight, in ascending order
 */
export function shareOf(busy: readonly number[], room: number): number {
  const [first = 0] = busy;
  let best = room;
  let sum = 0;
  for (const [n, own] of busy.entries()) {
    sum += own;
    // The level of the first n + 1 after they have taken all of the room.
    best = Math.min(best, Math.ceil((sum + room) / (n + 1)) - first);
  }
  return Math.max(0, best);
}

/** One of each list in turn. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const nth = (n: number): T[] => lists.flatMap((list) => list.slice(n, n + 1));
  return Array.from({ length: longest }, (_, n) => nth(n)).flat();
}
