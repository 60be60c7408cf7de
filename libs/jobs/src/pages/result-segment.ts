import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { newId } from '@app/contracts';
import type { SegmentRange } from '../frontier/page-outcome.js';
import type { PageEnding } from './page-ending.js';

const compress = promisify(zstdCompress);
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Folder of a job's documents. */
export const SEGMENTS = '/segments/';

/** Documents of a job that are stored together. */
export interface ResultSegment {
  readonly key: string;
  /** Null when no ending carries a document. */
  readonly bytes: Uint8Array | null;
  /** Place of the document of each ending that has one. */
  readonly ranges: ReadonlyMap<PageEnding, SegmentRange>;
  isStored: boolean;
  /** Tries to make its pages count. */
  commits: number;
}

async function packDocument(document: PageEnding['document']): Promise<Uint8Array | null> {
  return document === null ? null : compress(document, ZSTD);
}

export async function packSegment(endings: readonly PageEnding[]): Promise<ResultSegment> {
  const [first] = endings;
  const key = `jobs/${first?.page.tenantId}/${first?.page.jobId}${SEGMENTS}${newId()}.zst`;
  const frames = await Promise.all(endings.map(({ document }) => packDocument(document)));
  const ranges = new Map<PageEnding, SegmentRange>();
  let offset = 0;
  for (const [at, ending] of endings.entries()) {
    const bytes = frames[at]?.byteLength;
    if (bytes === undefined) continue;
    ranges.set(ending, { key, offset, bytes });
    offset += bytes;
  }
  const parts = frames.filter((frame) => frame !== null);
  const bytes = parts.length > 0 ? Buffer.concat(parts) : null;
  return { key, bytes, ranges, isStored: false, commits: 0 };
}
