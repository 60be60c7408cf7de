/**
 * A thread that has not replied this long after it took a page is ended: its pattern does not end by itself. The
 * budget, which is checked between patterns, leaves a slow machine room before.
 */
export function hardLimitMs(budgetMs: number): number {
  return 3 * budgetMs;
}
