import { screenshotKey, type ListedBlob } from '@app/blobs';
import { newId } from '@app/contracts';
import { sweepScreenshots } from './retain.js';

const DAY_MS = 86_400_000;
const BEFORE = new Date('2026-03-10T15:00:00Z');

function shotOf(daysBefore: number, tenant = 't'): string {
  const madeAt = new Date(BEFORE.getTime() - daysBefore * DAY_MS);
  return screenshotKey(tenant, { id: newId(), extension: 'png', madeAt });
}

function blobsWith(keys: readonly string[]) {
  const left = new Set(keys);
  let listed = 0;
  return {
    left,
    listed: () => listed,
    async *list(prefix: string): AsyncIterable<ListedBlob> {
      for (const key of [...left].sort()) {
        if (!key.startsWith(prefix)) continue;
        listed++;
        yield { key, bytes: 1 };
      }
    },
    async delete(key: string): Promise<void> {
      left.delete(key);
    },
  };
}

describe('screenshots', () => {
  it('are deleted by whole days: the day of the moment itself is kept', async () => {
    const [old, young] = [shotOf(1), shotOf(0)];
    const blobs = blobsWith([old, young]);
    expect(await sweepScreenshots(blobs, { before: BEFORE, limit: 10 })).toEqual({
      deleted: 1,
      isMore: false,
    });
    expect([...blobs.left]).toEqual([young]);
  });

  it('are deleted a bounded number at a time, over all tenants', async () => {
    const blobs = blobsWith([shotOf(3, 'a'), shotOf(2, 'b'), shotOf(2, 'c')]);
    expect(await sweepScreenshots(blobs, { before: BEFORE, limit: 2 })).toEqual({
      deleted: 2,
      isMore: true,
    });
    expect(blobs.left.size).toBe(1);
  });

  it('that are young are not listed beyond the first', async () => {
    const blobs = blobsWith(Array.from({ length: 100 }, () => shotOf(0)));
    await sweepScreenshots(blobs, { before: BEFORE, limit: 10 });
    expect(blobs.listed()).toBe(1);
  });

  it('ignore other blobs', async () => {
    const blobs = blobsWith(['screenshots/notes.txt', 'tenants/t/cache/a.json.zst']);
    await sweepScreenshots(blobs, { before: BEFORE, limit: 10 });
    expect(blobs.left.size).toBe(2);
  });
});
