import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { VERSION } from '@app/runtime';
import { archivedRows, copiesOf, type ArchivedRow, type CopyRow } from '../url-report.js';
import { readCrawlOptions } from '../../create/crawl-options.js';
import type { JobEntity } from '../../job.entity.js';
import { framesOf, inflateDocument, type ResultPorts } from '../read-results.js';

const COPIES_PER_READ = 500;
const STANDARD = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';

export function warcFileName({ id }: Pick<JobEntity, 'id'>): string {
  return `crawl-${id}.warc.gz`;
}

/**
 * A job as a web archive (ISO 28500:2017, WARC 1.1): the kept content of each page in the order
 * they were scraped, up to the present end. The archive of an ended job is the same, byte by byte,
 * at every export. Memory is bounded by one read and one document.
 */
export async function* writeWarc(ports: ResultPorts, job: JobEntity): AsyncGenerator<Buffer> {
  yield await packRecord(infoRecord(job));
  const rowsAfter = (after: number, most: number): Promise<readonly ArchivedRow[]> =>
    archivedRows(ports.database, job.id, after, most);
  const options = { after: 0, most: job.pageLimit };
  for await (const { row, frame } of framesOf(ports.blobs, options, rowsAfter)) {
    const { records, original } = pageRecords(job.id, row, await inflateDocument(frame));
    for (const record of records) yield await packRecord(record);
    if (original === null || !row.hasCopies) continue;
    for await (const copy of copies(ports, { jobId: job.id, urlKey: row.urlKey }))
      yield await packRecord(copyRecord(job.id, copy, original));
  }
}

async function* copies(
  { database }: Pick<ResultPorts, 'database'>,
  page: { readonly jobId: string; readonly urlKey: string },
): AsyncGenerator<Awaited<ReturnType<typeof copiesOf>>[number]> {
  for (let after: string | null = null; ;) {
    const rows = await copiesOf(database, page, after, COPIES_PER_READ);
    yield* rows;
    if (rows.length < COPIES_PER_READ) return;
    after = rows.at(-1)?.urlKey ?? null;
  }
}

function infoRecord(job: JobEntity): WarcRecord {
  const { ignoreRobotsTxt } = readCrawlOptions(job.options);
  const lines = [
    `software: Trawl/${VERSION}`,
    'format: WARC File Format 1.1',
    `conformsTo: ${STANDARD}`,
    `isPartOf: ${job.id}`,
    `description: ${job.type} of ${job.url}`,
    `robots: ${ignoreRobotsTxt ? 'ignore' : 'classic'}`,
    '',
  ];
  return {
    type: 'warcinfo',
    id: recordId(job.id, 'warcinfo'),
    date: job.createdAt,
    block: Buffer.from(lines.join('\r\n')),
    contentType: 'application/warc-fields',
    fields: { 'WARC-Filename': warcFileName(job) },
  };
}

/** WARC 1.1, clause 6.7.2 */
const IDENTICAL_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}/;
const UTF8_MARKDOWN = 'text/markdown; charset=utf-8';

/** Records of one kept page; those of its copies refer to the first. */
interface PageRecords {
  readonly records: readonly WarcRecord[];
  /** The captured content; null when the job kept only data about the page. */
  readonly original: Original | null;
}

interface Original {
  readonly id: string;
  readonly digest: string;
  readonly targetUri: string;
  readonly date: Date;
}

/**
 * The stored content is not byte by byte the server's answer, so no record is a `response`. HTML as
 * decoded is a `resource`; Markdown is a `conversion`, of that HTML where it was kept too; all
 * other facts are `metadata`.
 */
function pageRecords(jobId: string, row: ArchivedRow, json: Buffer): PageRecords {
  const { markdown, rawHtml, text: _text, ...rest } = parseDocument(json);
  const targetUri = uriOf(typeof rest['url'] === 'string' ? rest['url'] : row.url);
  const date = row.finishedAt;
  const make = (type: WarcRecord['type'], refersTo: Original | null): Frame => ({
    type,
    id: recordId(jobId, `${type} ${row.urlKey}`),
    date,
    fields: {
      'WARC-Target-URI': targetUri,
      ...(refersTo === null ? {} : { 'WARC-Refers-To': recordUri(refersTo.id) }),
    },
  });
  const records: WarcRecord[] = [];
  let original: Original | null = null;
  const add = (frame: Frame, block: Buffer, contentType: string): void => {
    records.push({ ...frame, block, contentType, isPayload: true });
    original ??= { id: frame.id, digest: payloadDigest(block), targetUri, date };
  };
  if (rawHtml !== undefined)
    add(make('resource', null), Buffer.from(rawHtml), `${mediaType(rest)}; charset=utf-8`);
  if (markdown !== undefined)
    add(make('conversion', original), Buffer.from(markdown), UTF8_MARKDOWN);
  const block = Buffer.from(JSON.stringify(rest));
  records.push({ ...make('metadata', original), block, contentType: 'application/json' });
  return { records, original };
}

type Frame = Pick<WarcRecord, 'type' | 'id' | 'date' | 'fields'>;

/** A URL with the same content: it was visited, and has no own block. */
function copyRecord(jobId: string, copy: CopyRow, original: Original): WarcRecord {
  return {
    type: 'revisit',
    id: recordId(jobId, `revisit ${copy.urlKey}`),
    date: copy.finishedAt,
    block: Buffer.alloc(0),
    fields: {
      'WARC-Target-URI': uriOf(copy.url),
      'WARC-Profile': IDENTICAL_PAYLOAD,
      'WARC-Payload-Digest': original.digest,
      'WARC-Refers-To': recordUri(original.id),
      'WARC-Refers-To-Target-URI': original.targetUri,
      'WARC-Refers-To-Date': original.date.toISOString(),
    },
  };
}

/** A URL escaped for a header field. */
function uriOf(url: string): string {
  return url.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

interface StoredDocument extends Readonly<Record<string, unknown>> {
  readonly markdown?: string;
  readonly rawHtml?: string;
}

/** Written by ourselves, in the form of `crawlResult`. */
function parseDocument(json: Buffer): StoredDocument {
  return JSON.parse(json.toString('utf8')) as StoredDocument;
}

/** As the server named it; the charset is that of our text, whatever it was. */
function mediaType({ metadata }: StoredDocument): string {
  const named = (metadata as { readonly contentType?: unknown } | undefined)?.contentType;
  return (typeof named === 'string' ? MEDIA_TYPE.exec(named)?.[0] : undefined) ?? 'text/html';
}

const compress = promisify(gzip);

/** One record before it is written: ISO 28500:2017 (WARC 1.1), clause 5. */
interface WarcRecord {
  readonly type: 'warcinfo' | 'resource' | 'conversion' | 'metadata' | 'revisit';
  /** UUID of the record: the same for the same content at every export. */
  readonly id: string;
  readonly date: Date;
  readonly block: Buffer;
  readonly contentType?: string;
  /** The block is the captured content, so that its digest is that of the payload. */
  readonly isPayload?: boolean;
  /** Further named fields, in order. */
  readonly fields?: Readonly<Record<string, string>>;
}

const CRLF = '\r\n';

/** The record as a separate gzip member (annex D), so that readers may seek to it. */
async function packRecord(record: WarcRecord): Promise<Buffer> {
  const { block } = record;
  const head = Buffer.from(headOf(record));
  return compress(Buffer.concat([head, block, Buffer.from(CRLF + CRLF)]));
}

function headOf({ type, id, date, block, contentType, isPayload, fields }: WarcRecord): string {
  const digest = block.length === 0 && type === 'revisit' ? undefined : payloadDigest(block);
  const named: readonly (readonly [string, string | undefined])[] = [
    ['WARC-Type', type],
    ['WARC-Record-ID', recordUri(id)],
    ['WARC-Date', date.toISOString()],
    ...Object.entries(fields ?? {}),
    ['WARC-Block-Digest', digest],
    ['WARC-Payload-Digest', isPayload ? digest : undefined],
    ['Content-Type', contentType],
    ['Content-Length', String(block.length)],
  ];
  const lines = named.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${onOneLine(value)}`],
  );
  return ['WARC/1.1', ...lines, '', ''].join(CRLF);
}

/** A line break in a URL or name would inject a header field. */
function onOneLine(value: string): string {
  return value.replace(/[\x00-\x1f\x7f]/g, (char) => encodeURIComponent(char));
}

function recordUri(id: string): string {
  return `<urn:uuid:${id}>`;
}

/** Labelled digest (clause 5.8) in base 32, as readers of archives have it. */
export function payloadDigest(block: Buffer): string {
  return `sha256:${base32(createHash('sha256').update(block).digest())}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, clause 6, padded. */
function base32(bytes: Buffer): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
  }
  if (bits > 0) text += ALPHABET[(held << (5 - bits)) & 31];
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
}

/** A UUID derived from the job and the subject of the record (RFC 9562, version 5). */
export function recordId(jobId: string, name: string): string {
  const space = Buffer.from(jobId.replaceAll('-', ''), 'hex');
  const hash = createHash('sha1').update(space).update(name).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
