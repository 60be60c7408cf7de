import type { JobEntity, ReasonCount, RecentJob } from '@app/jobs';
import { scopePrefix, type RecrawlChange } from '@app/crawl';
import type { JobChanges, JobSummary, JobView } from './job.dto.js';

export function presentSummary(job: RecentJob): JobSummary {
  return {
    id: job.id,
    type: job.type,
    url: job.url,
    status: job.status,
    pages_scraped: job.scraped,
    created_at: job.createdAt.toISOString(),
    completed_at: job.completedAt?.toISOString() ?? null,
  };
}

export function presentJob(
  job: JobEntity,
  reasons: readonly ReasonCount[],
  resultUrl: string | null,
): JobView {
  const { discovered, pending, leased, scraped, failed, skipped, cancelled } = job;
  return {
    ...presentSummary(job),
    result_url: resultUrl,
    error: job.error,
    pages: { discovered, pending, leased, scraped, failed, skipped, cancelled },
    skipped: byReason(reasons, 'skipped'),
    failed: byReason(reasons, 'failed'),
    ...changesOf(job, reasons),
    discovery_capped: job.discoveryCapped,
    ...scopeOf(job),
    ...(job.options.extract ? { source_job_id: job.options.extract.sourceJobId } : {}),
  };
}

/** Of a crawl with `since`. */
function changesOf(
  { options }: JobEntity,
  reasons: readonly ReasonCount[],
): Pick<JobView, 'since' | 'changes'> {
  if (options.since === undefined) return {};
  const changes = presentChanges({ ...byReason(reasons, 'scraped'), ...byReason(reasons, 'gone') });
  return { since: options.since, changes };
}

/** @param counts without those that are 0 */
export function presentChanges(counts: Partial<Record<RecrawlChange, number>>): JobChanges {
  return { new: 0, changed: 0, same: 0, gone: 0, ...counts };
}

/** None if its URL is not one that the API let in. */
function scopeOf({ type, url, scopeUrl, options }: JobEntity): { readonly scope?: string } {
  const seed = scopeUrl ?? url;
  if (type !== 'crawl' || !URL.canParse(seed)) return {};
  return { scope: scopePrefix(seed, options.allowBackwardLinks) };
}

function byReason(
  reasons: readonly ReasonCount[],
  state: ReasonCount['state'],
): Record<string, number> {
  return Object.fromEntries(
    reasons.filter((row) => row.state === state).map(({ reason, pages }) => [reason, pages]),
  );
}
