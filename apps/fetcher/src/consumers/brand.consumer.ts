import { DropTask, type Delivery } from '@app/broker';
import { Deadline, type ReplyEnvelope } from '@app/contracts';
import type { BrandReply, BrandTask } from '@app/company';
import { fitReply, type FitReplyOptions } from './fit-reply.js';
import type { BrandReader } from '@app/scrape';

export interface BrandConsumerOptions extends FitReplyOptions {
  readonly brands: Pick<BrandReader, 'read'>;
}

/** Handler of the `brand` queue: reads the brand of a company from its homepage. */
export function brandHandler(options: BrandConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<BrandReply>> => {
    const { signal } = delivery;
    const task = parseBrandTask(delivery.task);
    const { url, tenantId, plan } = task;
    const deadline = Deadline.at(task.deadlineAtMs);
    const reply = await options.brands.read({ url, tenantId, plan, deadline, signal });
    // Requeued, or the connection is lost: another fetcher replies.
    signal.throwIfAborted();
    return fitReply(reply, task, options);
  };
}

function parseBrandTask(value: unknown): BrandTask {
  const task = value as Partial<BrandTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.url === 'string' &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a brand task');
  return task as BrandTask;
}
