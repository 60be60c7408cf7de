/** Plans by their public name (specification: Limits, Plans). */
export const PLANS = ['free', 'hobby', 'pro', 'scale', 'custom'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanLimits {
  /** Concurrent page fetches one tenant's crawls may hold across the cluster. */
  readonly crawlConcurrency: number;
}

/** "Concurrent requests (headline figure)"; `custom` has no figure and is bounded by the cluster only. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { crawlConcurrency: 2 },
  hobby: { crawlConcurrency: 5 },
  pro: { crawlConcurrency: 50 },
  scale: { crawlConcurrency: 100 },
  custom: { crawlConcurrency: 1_000_000 },
};
