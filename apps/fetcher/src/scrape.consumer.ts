import type { BlobStore } from '@app/blobs';
import { DropTask, type Delivery } from '@app/broker';
import { Deadline, type ScrapeReply, type ScrapeTask } from '@app/contracts';
import type { PageFetcher, PageResult } from './page-fetcher.js';

/** A reply larger than this travels through the blob store: the broker carries small envelopes. */
const MAX_INLINE_REPLY_CHARS = 64 * 1024;

export interface ScrapeConsumerOptions {
  readonly pages: PageFetcher;
  readonly blobs: BlobStore;
}

/** Handler of the `scrape` queue. Its result is the reply; a dead fetcher's task is redelivered. */
export function scrapeHandler({ pages, blobs }: ScrapeConsumerOptions) {
  return async (delivery: Delivery): Promise<ScrapeReply> => {
    const task = parseScrapeTask(delivery.task);
    const result = await pages.fetch({
      url: task.url,
      deadline: Deadline.at(task.deadlineAtMs),
      signal: delivery.signal,
      ignoreRobotsTxt: task.ignoreRobotsTxt,
      markdown: true,
      rawHtml: task.includeHtml || task.formats.includes('rawHtml'),
      links: task.formats.includes('links'),
      crawl: null,
    });
    // Given back, or the connection is gone: another fetcher answers.
    delivery.signal.throwIfAborted();
    return fitReply(toReply(result), task, blobs);
  };
}

function toReply(result: PageResult): ScrapeReply {
  switch (result.kind) {
    case 'document':
      return { kind: 'document', document: result.document };
    case 'failed':
      return { kind: 'failed', problem: result.problem, cascade: result.report };
    case 'blocked':
      return { kind: 'blocked', url: result.url };
  }
}

async function fitReply(
  reply: ScrapeReply,
  task: ScrapeTask,
  blobs: BlobStore,
): Promise<ScrapeReply> {
  if (reply.kind !== 'document') return reply;
  const text = JSON.stringify(reply.document);
  if (text.length <= MAX_INLINE_REPLY_CHARS) return reply;
  const key = `scrapes/${task.tenantId}/${task.requestId}.json`;
  await blobs.put(key, Buffer.from(text), { contentType: 'application/json' });
  return { kind: 'blob', key };
}

/** The one place where a message becomes a task; what does not fit is dead-lettered. */
function parseScrapeTask(value: unknown): ScrapeTask {
  const task = value as Partial<ScrapeTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.url === 'string' &&
    Array.isArray(task.formats) &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a scrape task');
  return task as ScrapeTask;
}
