import type { BlobStore } from '@app/blobs';
import { purgeRows, type PurgeJob } from './expire-jobs.js';
import { SEGMENTS } from '../pages/result-segment.js';
import { type Database } from '@app/database';
import { deleteBelow } from './delete-below.js';

/** Of one round: a huge job does not hold up the others, nor a statement the crawls. */
const MAX_BLOBS = 1_000;
const MAX_ROWS = 5_000;

export interface Purged {
  readonly pages: number;
  readonly blobs: number;
  readonly isMore: boolean;
}

/**
 * One round of deleting the stored data of an ended job. Blobs go first: the job's row stays as
 * long as one of its blobs, so a process that dies here leaves no orphan.
 */
export async function purgeJob(
  {
    database,
    blobs,
  }: { readonly database: Database; readonly blobs: Pick<BlobStore, 'list' | 'delete'> },
  { id, tenantId, isInherited }: PurgeJob,
): Promise<Purged> {
  const below = await deleteBelow(blobs, `jobs/${tenantId}/${id}/`, {
    limit: MAX_BLOBS,
    isDue: (key) => !isInherited || !key.includes(SEGMENTS),
  });
  if (below.isMore) return { pages: 0, blobs: below.deleted, isMore: true };
  const { pages, isMore } = await purgeRows(database, id, MAX_ROWS);
  return { pages, blobs: below.deleted, isMore };
}
