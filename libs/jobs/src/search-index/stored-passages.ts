import { BlobNotFoundError, type BlobStore } from '@app/blobs';
import { Deadline, type MarkdownParts, type Plan } from '@app/contracts';
import { ThreadTimeoutError, type ContentPool } from '@app/scrape';
import type { SegmentRange } from '../frontier/page-outcome.js';
import { inflateDocument } from '../results/read-results.js';

type Passages = NonNullable<MarkdownParts['passages']>;

/** Request of the `convert` queue: the passages of stored pages that have the words of a query. */
export interface PassagesTask {
  readonly requestId: string;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly pages: readonly SegmentRange[];
  readonly query: string;
  /** Of each page. */
  readonly max: number;
  readonly deadlineAtMs: number;
}

export interface PassagesReply {
  readonly kind: 'passages';
  /** In the order of the pages; null: the page has no Markdown, or it could not be read in time. */
  readonly pages: readonly (Passages | null)[];
}

export interface StoredPassagesOptions {
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly content: Pick<ContentPool, 'storedParts'>;
}

/**
 * Reads the pages one after the other, in threads.
 * @throws BlobUnavailableError
 */
export async function findStoredPassages(
  task: PassagesTask,
  signal: AbortSignal,
  options: StoredPassagesOptions,
): Promise<PassagesReply> {
  const pages: (Passages | null)[] = [];
  for (const page of task.pages) pages.push(await passagesOf(page, task, signal, options));
  return { kind: 'passages', pages };
}

async function passagesOf(
  { key, offset, bytes }: SegmentRange,
  { tenantId, query, max, deadlineAtMs }: PassagesTask,
  signal: AbortSignal,
  { blobs, content }: StoredPassagesOptions,
): Promise<Passages | null> {
  const deadline = Deadline.at(deadlineAtMs);
  // A tenant reads only blobs under its own name.
  if (!key.startsWith(`jobs/${tenantId}/`) || deadline.remainingMs() <= 0) return null;
  try {
    const frame = await blobs.read(key, { offset, length: bytes }, bytes);
    // A damaged one stays so.
    const json = await inflateDocument(frame).catch(() => null);
    if (json === null) return null;
    const task = { document: Uint8Array.from(json), wanted: { passages: { query, max } } };
    const parts = await content.storedParts(task, { tenantId, deadline, signal });
    return parts?.passages ?? null;
  } catch (error) {
    if (error instanceof BlobNotFoundError || error instanceof ThreadTimeoutError) return null;
    throw error;
  }
}
