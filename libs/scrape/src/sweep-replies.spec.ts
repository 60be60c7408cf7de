import { scanInputKey, type ListedBlob } from '@app/blobs';
import { sweepReplies } from './scrape-loops.js';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 2);

/** A UUIDv7 with that time. */
function idAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const keyAt = (ms: number) => `replies/t/${idAt(ms)}.json`;

function blobsWith(keys: readonly string[]) {
  const left = new Set(keys);
  return {
    left,
    async *list(prefix: string): AsyncIterable<ListedBlob> {
      for (const key of keys) if (key.startsWith(prefix)) yield { key, bytes: 1 };
    },
    async delete(key: string): Promise<void> {
      left.delete(key);
    },
  };
}

describe('abandoned replies', () => {
  it('are deleted an hour after their request, and not before', async () => {
    const [old, young] = [keyAt(NOW_MS - HOUR_MS - 1), keyAt(NOW_MS - HOUR_MS)];
    const blobs = blobsWith([old, young]);
    expect(await sweepReplies(blobs, { nowMs: NOW_MS, limit: 10 })).toBe(1);
    expect([...blobs.left]).toEqual([young]);
  });

  it('are deleted a bounded number at a time', async () => {
    const keys = [1, 2, 3].map((n) => keyAt(NOW_MS - HOUR_MS - n));
    const blobs = blobsWith(keys);
    expect(await sweepReplies(blobs, { nowMs: NOW_MS, limit: 2 })).toBe(2);
    expect(blobs.left.size).toBe(1);
  });

  it('leave other files alone', async () => {
    const blobs = blobsWith(['replies/t/notes.json', `replies/t/${idAt(1)}.txt`]);
    expect(await sweepReplies(blobs, { nowMs: NOW_MS, limit: 10 })).toBe(0);
  });

  it.each(['html', 'markdown', 'file'])('go with uploads left behind: %s', async (kind) => {
    const upload = keyAt(NOW_MS - HOUR_MS - 1).replace('replies/', 'uploads/');
    const blobs = blobsWith([upload.replace('json', kind), keyAt(NOW_MS - HOUR_MS - 1)]);
    expect(await sweepReplies(blobs, { nowMs: NOW_MS, limit: 10 })).toBe(2);
    expect(blobs.left.size).toBe(0);
  });

  it('are deleted like pages that were never scanned', async () => {
    const [old, young] = [NOW_MS - HOUR_MS - 1, NOW_MS].map((ms) => scanInputKey('t', idAt(ms)));
    const blobs = blobsWith([old, young].map(String));
    expect(await sweepReplies(blobs, { nowMs: NOW_MS, limit: 10 })).toBe(1);
    expect([...blobs.left]).toEqual([young]);
  });
});
