import type { SkipReason } from '@app/contracts';
import { OPTIONS_WITHOUT_SECRETS } from '../create/crawl-options.js';
import { settleJobCredits } from '@app/accounts';
import { run, type Queryable, type Statement } from '@app/database';

const CLOSE_JOB: Statement = {
  name: 'close_job',
  text: `
    WITH rest AS (
      INSERT INTO job_reasons AS r (job_id, state, reason, pages)
      SELECT id, 'skipped', $2, pending FROM jobs WHERE id = $1 AND pending > 0
      ON CONFLICT (job_id, state, reason) DO UPDATE SET pages = r.pages + excluded.pages
    )
    UPDATE jobs SET status = 'processing', options = ${OPTIONS_WITHOUT_SECRETS}, skipped = skipped + pending, pending = 0,
           rest_reason = CASE WHEN pending > 0 THEN $2 END, closed_at = now()
    WHERE id = $1
    RETURNING tenant_id AS "tenantId", credits_held IS NOT NULL AS "isHeld", pg_notify('trawl_finish', '')`,
};

/**
 * Ends dispatch of a job. Pending pages count as skipped for `reason`; their rows follow later.
 * Unspent credits are released: nothing more is charged for the job.
 */
export async function closeJob(
  tx: Queryable,
  jobId: string,
  reason: Extract<SkipReason, 'limit' | 'deadline'>,
): Promise<void> {
  const [job] = await run<{ tenantId: string; isHeld: boolean }>(tx, CLOSE_JOB, [jobId, reason]);
  if (job?.isHeld) await settleJobCredits(tx, { tenantId: job.tenantId, chargeId: jobId });
}
