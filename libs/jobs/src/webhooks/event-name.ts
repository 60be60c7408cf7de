import type { EndedJob } from './delivery.js';

/** Kind and end of the job, such as `crawl.completed`. */
export function eventName({ type, status }: Pick<EndedJob, 'type' | 'status'>): string {
  return `${type}.${status}`;
}
