import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { BlobStore } from '@app/blobs';
import { resultRows, type ResultRow } from './finish-job.js';
import { type Queries } from '@app/database';

const decompress = promisify(zstdDecompress);

/** Rows read from the database at a time. */
const ROWS_PER_READ = 200;
/** Bytes of a segment read at a time; documents of one batch lie side by side. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export interface StoredResult {
  readonly resultNo: number;
  /** JSON text of the document, as it goes over the wire. */
  readonly document: Buffer;
}

/** A document as it lies in storage: one zstd frame. */
export interface StoredFrame<R extends ResultRow = ResultRow> {
  readonly row: R;
  readonly frame: Buffer;
}

export interface ReadOptions {
  readonly after: number;
  readonly most: number;
  /** Memory limit of one read, except for a single larger document. @default 8 MB */
  readonly maxReadBytes?: number;
}

/** The database, or a tenant's view of it: then no other tenant's job is visible. */
export interface ResultPorts {
  readonly database: Queries;
  readonly blobs: BlobStore;
}

/**
 * Documents of a crawl after a position, in the order they were scraped, up to the present end.
 * Memory is bounded by one read, whatever the size of the crawl.
 */
export async function* readResults(
  ports: ResultPorts,
  jobId: string,
  options: ReadOptions,
): AsyncGenerator<StoredResult> {
  for await (const { row, frame } of readFrames(ports, jobId, options))
    yield { resultNo: row.resultNo, document: await inflateDocument(frame) };
}

/** The same without inflating them: zstd frames may be joined as they are. */
export function readFrames(
  { database, blobs }: ResultPorts,
  jobId: string,
  options: ReadOptions,
): AsyncGenerator<StoredFrame> {
  return framesOf(blobs, options, (after, most) => resultRows(database, jobId, after, most));
}

/** The same for rows with more fields per document. */
export async function* framesOf<R extends ResultRow>(
  blobs: BlobStore,
  options: ReadOptions,
  rowsAfter: (after: number, most: number) => Promise<readonly R[]>,
): AsyncGenerator<StoredFrame<R>> {
  const { maxReadBytes = MAX_READ_BYTES } = options;
  let { after } = options;
  let left = options.most;
  while (left > 0) {
    const rows = await rowsAfter(after, Math.min(left, ROWS_PER_READ));
    for (const part of partsOf(rows, maxReadBytes)) yield* readPart(blobs, part);
    const last = rows.at(-1);
    if (!last || rows.length < Math.min(left, ROWS_PER_READ)) return;
    after = last.resultNo;
    left -= rows.length;
  }
}

/** Fetchers write far smaller frames; one that claims more is damaged. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** Inflates one document. */
export async function inflateDocument(frame: Buffer): Promise<Buffer> {
  return decompress(frame, { maxOutputLength: MAX_DOCUMENT_BYTES });
}

/** Rows in their order, as many at a time as may be held. */
function partsOf<R extends ResultRow>(rows: readonly R[], maxBytes: number): R[][] {
  const parts: R[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const part = parts.at(-1);
    const fits = part !== undefined && bytes + row.bytes <= maxBytes;
    if (fits) part.push(row);
    else parts.push([row]);
    bytes = fits ? bytes + row.bytes : row.bytes;
  }
  return parts;
}

/**
 * Documents that are adjacent in a segment are one read. A recrawl inherits many from the segments of another crawl, in
 * an order of its own.
 */
async function* readPart<R extends ResultRow>(
  blobs: BlobStore,
  rows: readonly R[],
): AsyncGenerator<StoredFrame<R>> {
  const frames = new Map<R, Buffer>();
  const placed = rows.toSorted(
    (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.offset - b.offset,
  );
  for (const run of runsOf(placed)) {
    const [first, last] = [run[0], run.at(-1)] as [R, R];
    const { key, offset } = first;
    const length = last.offset + last.bytes - offset;
    const read = await blobs.read(key, { offset, length }, length);
    for (const row of run)
      frames.set(row, read.subarray(row.offset - offset, row.offset - offset + row.bytes));
  }
  for (const row of rows) yield { row, frame: frames.get(row) as Buffer };
}

/** @param placed by segment and place in it */
function runsOf<R extends ResultRow>(placed: readonly R[]): R[][] {
  const runs: R[][] = [];
  for (const row of placed) {
    const last = runs.at(-1)?.at(-1);
    if (last?.key === row.key && row.offset === last.offset + last.bytes) runs.at(-1)?.push(row);
    else runs.push([row]);
  }
  return runs;
}
