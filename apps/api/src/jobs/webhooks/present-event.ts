import type { EndedJob } from '@app/jobs';
import type { EventBody } from './event.dto.js';

/** @param resultUrl signed for this attempt: a link signed at the first attempt would expire before the last */
export function presentEvent(job: EndedJob, resultUrl: string | null): EventBody {
  return {
    jobId: job.id,
    status: job.status,
    url: job.url,
    pages_scraped: job.scraped,
    result_url: resultUrl,
    completed_at: job.completedAt?.toISOString() ?? null,
  };
}
