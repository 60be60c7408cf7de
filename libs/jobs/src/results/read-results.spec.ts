import type { BlobStore } from '@app/blobs';
import type { ResultRow } from './finish-job.js';
import { framesOf } from './read-results.js';

const BYTES = 10;
const TEXT = 'abcdefghijklmnopqrstuvwxyz'.repeat(20);

/** Documents of 10 bytes: the n-th of a segment. */
const rowAt = (key: string, n: number, resultNo: number): ResultRow => ({
  ...{ resultNo, key, offset: n * BYTES, bytes: BYTES },
});

describe('documents read from segments', () => {
  let reads: string[] = [];
  beforeEach(() => (reads = []));
  const blobs = {
    read: async (key: string, { offset, length }: { offset: number; length: number }) => {
      reads.push(`${key} ${offset} ${length}`);
      return Buffer.from(TEXT.slice(offset, offset + length));
    },
  } as unknown as BlobStore;

  const frames = async (rows: readonly ResultRow[], maxReadBytes?: number): Promise<string[]> => {
    const options = { after: 0, most: rows.length, ...(maxReadBytes ? { maxReadBytes } : {}) };
    const all = framesOf(blobs, options, async (after, most) =>
      rows.filter(({ resultNo }) => resultNo > after).slice(0, most),
    );
    const read: string[] = [];
    for await (const { row, frame } of all) {
      expect(frame.toString()).toBe(TEXT.slice(row.offset, row.offset + row.bytes));
      read.push(`${row.resultNo}`);
    }
    return read;
  };

  it('are in the order of the rows, however they lie; those side by side are one read', async () => {
    const mixed = [
      ...[rowAt('b', 1, 1), rowAt('a', 2, 2), rowAt('b', 0, 3), rowAt('a', 0, 4)],
      ...[rowAt('a', 1, 5), rowAt('a', 4, 6)],
    ];
    expect(await frames(mixed)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(reads).toEqual(['a 0 30', 'a 40 10', 'b 0 20']);
  });

  it.each([
    [9, ['a 0 10', 'a 10 10', 'a 20 10']],
    [10, ['a 0 10', 'a 10 10', 'a 20 10']],
    [20, ['a 0 20', 'a 20 10']],
    [29, ['a 0 20', 'a 20 10']],
    [30, ['a 0 30']],
  ])('are held up to %d bytes at a time, or one alone', async (maxReadBytes, expected) => {
    const rows = [0, 1, 2].map((n) => rowAt('a', n, n + 1));
    expect(await frames(rows, maxReadBytes)).toEqual(['1', '2', '3']);
    expect(reads).toEqual(expected);
  });

  it('are none of no rows', async () => {
    expect(await frames([])).toEqual([]);
  });
});
