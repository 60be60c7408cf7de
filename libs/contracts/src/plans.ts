/** Plans by their public name (specification: Limits, Plans). */
export const PLANS = ['free', 'hobby', 'pro', 'scale', 'custom'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanLimits {
  /** Concurrent page fetches one tenant's crawls may hold across the cluster. */
  readonly crawlConcurrency: number;
  readonly screenshotsPerDay: number;
}

/** "Concurrent requests (headline figure)"; `custom` has no figure and is bounded by the cluster only. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { crawlConcurrency: 2, screenshotsPerDay: 10 },
  hobby: { crawlConcurrency: 5, screenshotsPerDay: 100 },
  pro: { crawlConcurrency: 50, screenshotsPerDay: 1_000 },
  scale: { crawlConcurrency: 100, screenshotsPerDay: 5_000 },
  custom: { crawlConcurrency: 1_000_000, screenshotsPerDay: 50_000 },
};
