/** Plans by their public name (specification: Limits, Plans). */
export const PLANS = ['free', 'hobby', 'pro', 'scale', 'custom'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanLimits {
  /** Concurrent page fetches one tenant's crawls may hold across the cluster. */
  readonly crawlConcurrency: number;
  readonly screenshotsPerDay: number;
  /** Pages of one batch that are fetched at a time. */
  readonly batchWorkers: number;
  /** Most links of one map. */
  readonly mapLinks: number;
}

/** "Concurrent requests (headline figure)"; `custom` has no figure and is bounded by the cluster only. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { crawlConcurrency: 2, screenshotsPerDay: 10, batchWorkers: 2, mapLinks: 100 },
  hobby: { crawlConcurrency: 5, screenshotsPerDay: 100, batchWorkers: 5, mapLinks: 5_000 },
  pro: { crawlConcurrency: 50, screenshotsPerDay: 1_000, batchWorkers: 10, mapLinks: 50_000 },
  scale: {
    crawlConcurrency: 100,
    screenshotsPerDay: 5_000,
    batchWorkers: 20,
    mapLinks: 50_000,
  },
  custom: {
    crawlConcurrency: 1_000_000,
    screenshotsPerDay: 50_000,
    batchWorkers: 20,
    mapLinks: 50_000,
  },
};
