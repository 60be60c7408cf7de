/** The work queues. Interactive work has its own, so a flood of crawl pages never delays a scrape. */
export const QUEUES = [
  'scrape',
  'screenshot',
  'convert',
  'map',
  'enrich',
  'brand',
  'search',
  'crawl',
  'tech-scan',
] as const;
export type QueueName = (typeof QUEUES)[number];

/**
 * Queues whose tasks are encrypted in the broker: they carry what tenants entrust to the service.
 * Tasks of the other queues are ids of rows.
 */
export const SEALED_QUEUES = [
  'scrape',
  'screenshot',
  'convert',
  'map',
  'enrich',
  'brand',
  'search',
] as const satisfies readonly QueueName[];

/** The queues that fetchers consume. */
export const FETCHER_QUEUES = [...SEALED_QUEUES, 'crawl'] as const;

/** Folder of the blob store where replies wait that are too large for a message. */
export const REPLY_FOLDER = 'replies/';

/** How a reply travels. */
export type ReplyEnvelope<R> =
  | R
  /** Too large for a message: it waits in the blob store; the reader deletes it. */
  | { readonly kind: 'blob'; readonly key: string }
  /** Too large for a message, and the blob store does not take it. */
  | { readonly kind: 'undeliverable' };

/** The tenant a task is worked on for. */
export interface TaskOwner {
  readonly tenantId: string;
  /** On the free plan: all such tenants share one part of the slots. */
  readonly isFree: boolean;
}
