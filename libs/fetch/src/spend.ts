/**
 * What one request may still cost. A paid attempt is reserved before it is made, so the ceiling is
 * exact: it may be reached, never passed.
 */
export class Spend {
  private spentMicroUsd = 0;

  /** @param ceilingMicroUsd null: no ceiling */
  constructor(private readonly ceilingMicroUsd: number | null) {}

  /** False, and nothing reserved, when the ceiling would be passed. */
  tryReserve(costMicroUsd: number): boolean {
    const sum = this.spentMicroUsd + costMicroUsd;
    if (this.ceilingMicroUsd !== null && sum > this.ceilingMicroUsd) return false;
    this.spentMicroUsd = sum;
    return true;
  }
}
