import { BlobNotFoundError, type BlobStore } from '@app/blobs';
import type { Queries, Row, Statement } from '@app/database';
import { IS_GONE } from '../frontier/gone-pages.js';
import type { SegmentRange } from '../frontier/page-outcome.js';
import type { ResultRow } from './finish-job.js';
import { framesOf, inflateDocument, type ResultPorts } from './read-results.js';

interface ChangedRow extends ResultRow {
  readonly id: string;
  readonly url: string;
  readonly change: string | null;
  /** The document of the crawl before, if it is to be compared and is kept. */
  readonly before?: SegmentRange | null;
}

const CHANGED_COLUMNS = `p.result_no AS "resultNo", p.segment_key AS key, p.segment_offset AS "offset", p.segment_bytes AS bytes,
                replace(p.url_key::text, '-', '') AS id, p.url, p.reason AS change`;
const CHANGED_ROWS = `p.job_id = $1 AND p.result_no > $2 AND p.reason IS DISTINCT FROM 'same' ORDER BY p.result_no LIMIT $3`;

/** A crawl that knows of none before has only pages to put in. */
const CHANGED: Statement = {
  name: 'changed_pages',
  text: `SELECT ${CHANGED_COLUMNS} FROM pages p WHERE ${CHANGED_ROWS}`,
};
const COMPARED: Statement = {
  name: 'compared_pages',
  text: `SELECT ${CHANGED_COLUMNS}, CASE WHEN b.segment_key IS NOT NULL THEN jsonb_build_object(
           'key', b.segment_key, 'offset', b.segment_offset, 'bytes', b.segment_bytes) END AS before
         FROM pages p LEFT JOIN pages b ON b.job_id = $4 AND b.url_key = p.url_key AND b.result_no IS NOT NULL
           AND p.reason = 'changed'
         WHERE ${CHANGED_ROWS}`,
};
const GONE: Statement = {
  name: 'gone_pages',
  text: `SELECT p.seq, replace(p.url_key::text, '-', '') AS id, p.url, p.reason, t.url AS "movedTo"
         FROM pages p LEFT JOIN pages t ON t.job_id = p.job_id AND t.url_key = p.same_as
         WHERE p.job_id = $1 AND p.seq > $2 AND p.base_hash IS NOT NULL AND ${IS_GONE}
         ORDER BY p.seq LIMIT $3`,
};

interface GonePage {
  readonly seq: string;
  readonly id: string;
  readonly url: string;
  readonly reason: string;
  readonly movedTo: string | null;
}

const GONE_AT_ONCE = 1_000;

/** How results of a page are compared. */
export interface Comparison {
  /** The crawl before. */
  readonly baseId: string;
  /** @param before JSON of the page result of the crawl before */
  readonly compare: (before: Buffer, after: Buffer) => Promise<ComparedResults | null>;
}

/** Null: they cannot be compared. */
interface ComparedResults {
  readonly changedLines: number;
  /** Unified diff; null: they differ too much for one. */
  readonly diff: string | null;
}

/**
 * JSON lines that bring a copy of the site up to date: `{"op":"upsert","id","url","change","result"}` for each page that
 * is new or has changed, then `{"op":"delete","id","url","reason","moved_to"}` for each that is a result no more. The id of a page is that of its address:
 * the same in every crawl. With a comparison a page that has changed also has `diff` and `changed_lines`, null where the
 * crawl before keeps no result of it, or it cannot be compared.
 */
export async function* readChanges(
  ports: ResultPorts,
  jobId: string,
  comparison?: Comparison,
): AsyncGenerator<Buffer> {
  const { database, blobs } = ports;
  const rows = (after: number, most: number): Promise<ChangedRow[]> => {
    const [statement, more] = comparison ? [COMPARED, [comparison.baseId]] : [CHANGED, []];
    const values = [jobId, after, most, ...more];
    return database.query<ChangedRow & Record<string, unknown>>(statement, values);
  };
  const all = { after: 0, most: Number.MAX_SAFE_INTEGER };
  for await (const { row, frame } of framesOf(blobs, all, rows)) {
    const { id, url, change } = row;
    const document = await inflateDocument(frame);
    const difference =
      comparison && change === 'changed'
        ? await differenceOf(blobs, row, document, comparison)
        : {};
    const head = JSON.stringify({ op: 'upsert', id, url, change: change ?? 'new', ...difference });
    yield Buffer.from(`${head.slice(0, -1)},"result":`);
    yield document;
    yield Buffer.from('}\n');
  }
  for await (const { id, url, reason, movedTo } of gonePages(database, jobId)) {
    const moved = movedTo === null ? {} : { moved_to: movedTo };
    yield Buffer.from(`${JSON.stringify({ op: 'delete', id, url, reason, ...moved })}\n`);
  }
}

async function differenceOf(
  blobs: BlobStore,
  { before }: ChangedRow,
  document: Buffer,
  { compare }: Comparison,
): Promise<object> {
  const old = before ? await keptDocument(blobs, before) : null;
  const found = old === null ? null : await compare(old, document);
  return { diff: found?.diff ?? null, changed_lines: found?.changedLines ?? null };
}

/** Null: it has expired meanwhile. */
async function keptDocument(
  blobs: BlobStore,
  { key, offset, bytes }: SegmentRange,
): Promise<Buffer | null> {
  try {
    return await inflateDocument(await blobs.read(key, { offset, length: bytes }, bytes));
  } catch (error) {
    if (error instanceof BlobNotFoundError) return null;
    throw error;
  }
}

async function* gonePages(database: Queries, jobId: string): AsyncGenerator<GonePage> {
  for (let after: string | null = '0'; after !== null;) {
    const values = [jobId, after, GONE_AT_ONCE];
    const rows: GonePage[] = await database.query<GonePage & Row>(GONE, values);
    yield* rows;
    after = rows.length < GONE_AT_ONCE ? null : (rows.at(-1)?.seq ?? null);
  }
}
