import type { EndedJob } from '@app/webhooks';
import { presentChanges } from '../present-job.js';
import type { EventBody } from './event.dto.js';

export interface EventLinks {
  /** Signed for this attempt: a link signed at the first attempt would expire before the last. */
  readonly resultUrl: string | null;
  readonly publicUrl: string;
}

export function presentEvent(job: EndedJob, { resultUrl, publicUrl }: EventLinks): EventBody {
  return {
    ...ownFields(job, resultUrl),
    ...changeFields(job, publicUrl),
    ...(job.isV2 ? v2Fields(job) : {}),
  };
}

/** Of a crawl with `since`. */
function changeFields({ id, changes }: EndedJob, publicUrl: string): Partial<EventBody> {
  if (changes === null) return {};
  const origin = publicUrl.replace(/(?<!\/)\/+$/, '');
  return { changes: presentChanges(changes), changes_url: `${origin}/v1/crawl/${id}/changes` };
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
