import type { DeliveredEvent, EndedJob } from './delivery.js';

/** Kind and end of the job, such as `crawl.completed`. */
export function eventName({ type, status }: Pick<EndedJob, 'type' | 'status'>): string {
  return `${type}.${status}`;
}

/** Name of an event of a job or a feed. */
export function deliveredName(event: DeliveredEvent): string {
  return event.kind === 'job' ? eventName(event.job) : event.name;
}
