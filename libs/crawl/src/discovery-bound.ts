const LINKS_PER_PAGE_OF_LIMIT = 50;
const LEAST = 1_000;

/**
 * Most addresses one job may record (design: Frontier), by the pages that it may bring and that are paid for; links
 * beyond are dropped and the job says so.
 */
export function discoveryBound(pageLimit: number): number {
  return LEAST + pageLimit * LINKS_PER_PAGE_OF_LIMIT;
}
