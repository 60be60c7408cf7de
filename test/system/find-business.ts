import type { Database } from '@app/database';
import { findBusinessByDomain, type FoundBusiness } from '@app/graph';

/** The business of a domain in the graph, or null. */
export function findBusiness(database: Database, domain: string): Promise<FoundBusiness | null> {
  return database.transaction((tx) => findBusinessByDomain(tx, domain));
}
