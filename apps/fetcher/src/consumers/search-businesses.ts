import { DropTask } from '@app/broker';
import { SCRAPERS, type BusinessSearchReply, type BusinessSearchTask } from '@app/connectors';
import type { BackendTerms } from '@app/providers';
import type { Scrapers } from '../outbound/open-scrapers.js';

/** Runs a search of a listing scraper in its sources. */
export async function searchBusinesses(
  task: BusinessSearchTask,
  terms: BackendTerms,
  scrapers: Scrapers,
): Promise<BusinessSearchReply> {
  const { query, location, limit, tenantId, plan, from } = task;
  const scraper = scrapers[task.scraper];
  const page = from?.page ?? 1;
  const wanted = { query, location, limit, tenantId, plan, page };
  const found = await scraper.search(wanted, terms, from?.source ?? null);
  const { attempts } = found;
  if (found.kind === 'failed')
    return { kind: 'no_businesses', attempts, retryAfterMs: found.retryAfterMs };
  const { source, results, next } = found;
  const known = scraper.sources.find((one) => one.source === source);
  return {
    kind: 'businesses',
    source,
    businesses: results,
    next: next == null ? null : { source, page: next },
    attribution: known?.attribution ?? null,
    costMicroUsd: known?.costMicroUsd ?? 0,
    attempts,
  };
}

/** @throws DropTask */
export function parseBusinessTask(task: Partial<BusinessSearchTask>): BusinessSearchTask {
  const { scraper, query, location, limit, from } = task;
  const isTask =
    SCRAPERS.some((name) => name === scraper) &&
    typeof query === 'string' &&
    (location === null || typeof location === 'string') &&
    typeof limit === 'number' &&
    (from === null || (typeof from?.source === 'string' && typeof from.page === 'number'));
  if (!isTask) throw new DropTask('not a search for businesses');
  return task as BusinessSearchTask;
}
