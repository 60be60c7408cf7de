import type { EndedJob } from '@app/webhooks';
import type { EventBody } from './event.dto.js';

/** @param resultUrl signed for this attempt: a link signed at the first attempt would expire before the last */
export function presentEvent(job: EndedJob, resultUrl: string | null): EventBody {
  return {
    ...ownFields(job, resultUrl),
    ...(job.isV2 ? v2Fields(job) : {}),
  };
}

function ownFields(job: EndedJob, resultUrl: string | null): EventBody {
  return {
    jobId: job.id,
    status: job.status,
    url: job.url,
    pages_scraped: job.scraped,
    result_url: resultUrl,
    completed_at: job.completedAt?.toISOString() ?? null,
  };
}

/** Receivers of the compatibility set switch on `type`, and read the pages from the state of job `id`. */
function v2Fields({ id, type, status }: EndedJob): Partial<EventBody> {
  const kind = type === 'batch' ? 'batch_scrape' : type;
  return { success: true, type: `${kind}.${status}`, id, data: [], metadata: {} };
}
