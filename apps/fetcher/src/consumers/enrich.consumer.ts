import { DropTask, type Delivery } from '@app/broker';
import type { ReplyEnvelope } from '@app/contracts';
import type { EnrichReply, EnrichTask } from '@app/company';
import { fitReply, type FitReplyOptions } from './fit-reply.js';
import { EnrichRun, type EnrichRunOptions } from '@app/scrape';

export interface EnrichConsumerOptions extends FitReplyOptions, EnrichRunOptions {}

/** Handler of the `enrich` queue: reads company data from the company's site. */
export function enrichHandler(options: EnrichConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<EnrichReply>> => {
    const task = parseEnrichTask(delivery.task);
    const reply = await new EnrichRun(task, delivery.signal, options).reply();
    // Requeued, or the connection is lost: another fetcher replies.
    delivery.signal.throwIfAborted();
    return fitReply(reply, task, options);
  };
}

const FLAGS = [
  'includeEmails',
  'includeTech',
  'includeTeam',
  'includeBrand',
  'deepTech',
  'useModel',
] as const satisfies readonly (keyof EnrichTask)[];

/** The only place that turns a message into a task; a malformed one is dead-lettered. */
function parseEnrichTask(value: unknown): EnrichTask {
  const task = value as Partial<EnrichTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.url === 'string' &&
    (task.pages === 'fixed' || task.pages === 'chosen') &&
    typeof task.maxPages === 'number' &&
    typeof task.maxAgeMs === 'number' &&
    typeof task.deadlineAtMs === 'number' &&
    FLAGS.every((flag) => typeof task[flag] === 'boolean');
  if (!isTask) throw new DropTask('not an enrich task');
  return task as EnrichTask;
}
