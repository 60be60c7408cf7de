import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { BlobStore } from '@app/blobs';
import { resultRows, type ResultRow, type Store } from '@app/store';

const decompress = promisify(zstdDecompress);

/** Rows asked of the database at a time. */
const ROWS_PER_READ = 200;
/** Bytes of a segment read at a time; documents of one batch lie side by side. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export interface StoredResult {
  readonly resultNo: number;
  /** JSON text of the document, as it goes over the wire. */
  readonly document: Buffer;
}

/**
 * Documents of a crawl after a position, in the order they were scraped, up to what is there now.
 * Memory is bounded by one read, whatever the size of the crawl.
 */
export async function* readResults(
  ports: { readonly store: Store; readonly blobs: BlobStore },
  jobId: string,
  options: { readonly after: number; readonly most: number },
): AsyncGenerator<StoredResult> {
  let { after } = options;
  let left = options.most;
  while (left > 0) {
    const rows = await resultRows(ports.store, jobId, after, Math.min(left, ROWS_PER_READ));
    for (const run of neighbours(rows)) yield* readRun(ports.blobs, run);
    const last = rows.at(-1);
    if (!last || rows.length < Math.min(left, ROWS_PER_READ)) return;
    after = last.resultNo;
    left -= rows.length;
  }
}

/** Groups rows whose documents follow one another in one segment, so that each group is one read. */
function neighbours(rows: readonly ResultRow[]): ResultRow[][] {
  const runs: ResultRow[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const first = run?.[0];
    const last = run?.at(-1);
    const fits =
      first !== undefined &&
      last !== undefined &&
      row.key === last.key &&
      row.offset === last.offset + last.bytes &&
      row.offset + row.bytes - first.offset <= MAX_READ_BYTES;
    if (fits) run?.push(row);
    else runs.push([row]);
  }
  return runs;
}

async function* readRun(
  blobs: BlobStore,
  rows: readonly ResultRow[],
): AsyncGenerator<StoredResult> {
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return;
  const length = last.offset + last.bytes - first.offset;
  const bytes = await blobs.read(first.key, { offset: first.offset, length }, length);
  for (const row of rows) {
    const start = row.offset - first.offset;
    const document = await decompress(bytes.subarray(start, start + row.bytes));
    yield { resultNo: row.resultNo, document };
  }
}
