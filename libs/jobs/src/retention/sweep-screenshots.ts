import { dayOfScreenshot, SCREENSHOT_FOLDER, type BlobStore } from '@app/blobs';
import { deleteBelow, type Deleted } from './delete-below.js';

/**
 * Deletes screenshots of days that ended before a moment. They are listed by day, oldest first, so
 * of the young ones only the first is listed.
 */
export async function sweepScreenshots(
  blobs: Pick<BlobStore, 'list' | 'delete'>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<Deleted> {
  const firstKept = before.toISOString().slice(0, 10);
  const isOver = (key: string): boolean => {
    const day = dayOfScreenshot(key);
    return day !== null && day < firstKept;
  };
  const list = (prefix: string) => listedUntil(blobs.list(prefix), ({ key }) => isOver(key));
  const store = { list, delete: (key: string) => blobs.delete(key) };
  return deleteBelow(store, SCREENSHOT_FOLDER, { limit });
}

async function* listedUntil<T>(
  items: AsyncIterable<T>,
  isListed: (item: T) => boolean,
): AsyncGenerator<T> {
  for await (const item of items) {
    if (!isListed(item)) return;
    yield item;
  }
}
