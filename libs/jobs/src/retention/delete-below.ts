import type { BlobStore } from '@app/blobs';

/** Blobs deleted at a time. */
const PARALLEL = 8;

export interface DeleteOptions {
  /** Most that are deleted by one call. */
  readonly limit: number;
  /** @default all */
  readonly isDue?: (key: string) => boolean;
}

export interface Deleted {
  readonly deleted: number;
  /** The limit was reached; there may be more. */
  readonly isMore: boolean;
}

/** Deletes blobs below a folder, a bounded number. Rejects with the first that could not be deleted. */
export async function deleteBelow(
  blobs: Pick<BlobStore, 'list' | 'delete'>,
  prefix: string,
  { limit, isDue = () => true }: DeleteOptions,
): Promise<Deleted> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(prefix)) {
    if (keys.length === limit) break;
    if (isDue(key)) keys.push(key);
  }
  for (let at = 0; at < keys.length; at += PARALLEL) {
    await Promise.all(keys.slice(at, at + PARALLEL).map((key) => blobs.delete(key)));
  }
  return { deleted: keys.length, isMore: keys.length === limit };
}
