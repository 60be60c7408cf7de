/** Plans by their public name (specification: Limits, Plans). */
export const PLANS = ['free', 'hobby', 'pro', 'scale', 'custom'] as const;
export type Plan = (typeof PLANS)[number];

/** Their names of before, which the usage record still shows (specification: Resources, Usage record). */
export const LEGACY_PLANS = {
  free: 'free',
  hobby: 'starter',
  pro: 'pro',
  scale: 'business',
  custom: 'enterprise',
} as const satisfies Readonly<Record<Plan, string>>;

/** The plan of a public or a legacy name; null of any other text. */
export function planNamed(name: string): Plan | null {
  return PLANS.find((plan) => plan === name || LEGACY_PLANS[plan] === name) ?? null;
}

/** A block of credits that is billed when the month's are spent. */
export interface Overage {
  readonly priceUsd: number;
  readonly credits: number;
}

/** Grants, limits and prices of one plan. Null where each account has its own agreement. */
interface PlanLimits {
  readonly priceMonthUsd: number | null;
  /** A month's share when billed yearly. */
  readonly priceYearMonthUsd: number | null;
  /** Credits granted on the 1st of a month, UTC. Null: as agreed; without a figure, unlimited. */
  readonly monthlyCredits: number | null;
  /** Granted with them for the enrich pool. Null: nothing is granted each month. */
  readonly enrichCredits: number | null;
  /** Granted with them for the KYB pool. Null: nothing is granted each month. */
  readonly kybCredits: number | null;
  /** Null: a request that the credits do not cover is refused (402). */
  readonly overage: Overage | 'agreed' | null;
  readonly requestsPerMinute: number;
  /** Calls of one tenant that may be answered at a time; null is bounded by the cluster only. */
  readonly concurrentRequests: number | null;
  /** Concurrent page fetches one tenant's crawls may hold across the cluster. */
  readonly crawlConcurrency: number;
  readonly hasSearch: boolean;
  /** Most results of one search. */
  readonly searchResults: number;
  readonly screenshotsPerDay: number;
  /** Pages of one batch that are fetched at a time. */
  readonly batchWorkers: number;
  /** Most links of one map. */
  readonly mapLinks: number;
  /** Most rows of one pull. */
  readonly pullRows: number;
  readonly previewsPerDay: number;
  /** What an account may store: addresses, documents and texts of its jobs, and cached pages. Null: as much as there is. */
  readonly storageBytes: number | null;
  /** Pages of jobs that are fetched and cost nothing: they may not be indexed, fail, are copies. Null: any number. */
  readonly unpaidPagesPerDay: number | null;
  /**
   * Calls of a model a day, for whatever they are made: some cost the caller nothing (a message of a chat, an answer that
   * fails its schema). As many as a month has credits, so that paid work does not meet it.
   */
  readonly modelCallsPerDay: number;
  /** Feeds of one account. */
  readonly feeds: number;
  /** Least minutes between two runs of a feed. */
  readonly feedMinutes: number;
}

const MB = 1e6;
const GB = 1e9;

/**
 * Specification: Limits, "Plans" and "Credit grants per plan". The only place with a plan's
 * figures.
 */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: {
    priceMonthUsd: 0,
    priceYearMonthUsd: 0,
    monthlyCredits: 1_000,
    enrichCredits: 1_000,
    kybCredits: 0,
    overage: null,
    requestsPerMinute: 10,
    concurrentRequests: 2,
    crawlConcurrency: 2,
    hasSearch: false,
    searchResults: 20,
    screenshotsPerDay: 10,
    batchWorkers: 2,
    mapLinks: 100,
    pullRows: 100,
    previewsPerDay: 20,
    storageBytes: 500 * MB,
    unpaidPagesPerDay: 2_000,
    modelCallsPerDay: 1_000,
    feeds: 1,
    feedMinutes: 1_440,
  },
  hobby: {
    priceMonthUsd: 12,
    priceYearMonthUsd: 10,
    monthlyCredits: 5_000,
    enrichCredits: 5_000,
    kybCredits: 500,
    overage: { priceUsd: 7, credits: 1_500 },
    requestsPerMinute: 60,
    concurrentRequests: 5,
    crawlConcurrency: 5,
    hasSearch: false,
    searchResults: 20,
    screenshotsPerDay: 100,
    batchWorkers: 5,
    mapLinks: 5_000,
    pullRows: 1_000,
    previewsPerDay: 200,
    storageBytes: 10 * GB,
    unpaidPagesPerDay: null,
    modelCallsPerDay: 5_000,
    feeds: 10,
    feedMinutes: 60,
  },
  pro: {
    priceMonthUsd: 59,
    priceYearMonthUsd: 49,
    monthlyCredits: 100_000,
    enrichCredits: 100_000,
    kybCredits: 5_000,
    overage: { priceUsd: 39, credits: 35_000 },
    requestsPerMinute: 200,
    concurrentRequests: 50,
    crawlConcurrency: 50,
    hasSearch: true,
    searchResults: 100,
    screenshotsPerDay: 1_000,
    batchWorkers: 10,
    mapLinks: 50_000,
    pullRows: 10_000,
    previewsPerDay: 2_000,
    storageBytes: 100 * GB,
    unpaidPagesPerDay: null,
    modelCallsPerDay: 100_000,
    feeds: 50,
    feedMinutes: 15,
  },
  scale: {
    priceMonthUsd: 239,
    priceYearMonthUsd: 199,
    monthlyCredits: 500_000,
    enrichCredits: 500_000,
    kybCredits: 25_000,
    overage: { priceUsd: 147, credits: 175_000 },
    requestsPerMinute: 600,
    concurrentRequests: 100,
    crawlConcurrency: 100,
    hasSearch: true,
    searchResults: 100,
    screenshotsPerDay: 5_000,
    batchWorkers: 20,
    mapLinks: 50_000,
    pullRows: 50_000,
    previewsPerDay: 10_000,
    storageBytes: 500 * GB,
    unpaidPagesPerDay: null,
    modelCallsPerDay: 500_000,
    feeds: 200,
    feedMinutes: 5,
  },
  custom: {
    priceMonthUsd: null,
    priceYearMonthUsd: null,
    monthlyCredits: null,
    enrichCredits: null,
    kybCredits: null,
    overage: 'agreed',
    requestsPerMinute: 3_000,
    concurrentRequests: null,
    crawlConcurrency: 1_000_000,
    hasSearch: true,
    searchResults: 100,
    screenshotsPerDay: 50_000,
    batchWorkers: 20,
    mapLinks: 50_000,
    pullRows: 50_000,
    previewsPerDay: 100_000,
    storageBytes: null,
    unpaidPagesPerDay: null,
    modelCallsPerDay: 1_000_000,
    feeds: 1_000,
    feedMinutes: 1,
  },
};
