import { RATE_SPAN_MS, type TakenRequests } from '../src/limits/rate-window.js';

/**
 * The sliding window in its simplest form: a list of instants. The ring in SQL is compared with it.
 */
export class SlidingLog {
  private log: readonly number[] = [];
  private lastMs = -Infinity;

  take({ limit, wanted, nowMs }: { limit: number; wanted: number; nowMs: number }): TakenRequests {
    const wasSetBack = this.lastMs > nowMs + RATE_SPAN_MS;
    const atMs = wasSetBack ? nowMs : Math.max(nowMs, this.lastMs);
    const live = wasSetBack ? [] : this.log.filter((ms) => ms > atMs - RATE_SPAN_MS);
    const admitted = Math.min(wanted, Math.max(0, limit - live.length));
    const after = [...live, ...Array<number>(admitted).fill(atMs)];
    if (admitted > 0) [this.log, this.lastMs] = [after, atMs];
    const makesRoom = limit > 0 ? (after[after.length - limit] ?? atMs) : atMs;
    return {
      admitted,
      remaining: Math.max(0, limit - after.length),
      waitMs: admitted < wanted ? makesRoom + RATE_SPAN_MS - atMs : 0,
    };
  }
}
