const LINKS_PER_PAGE_OF_LIMIT = 50;
const SMALLEST_BOUND = 10_000;

/** Most addresses one job may record (design: Frontier); links beyond are dropped and the job says so. */
export function discoveryBound(pageLimit: number): number {
  return Math.max(SMALLEST_BOUND, pageLimit * LINKS_PER_PAGE_OF_LIMIT);
}
