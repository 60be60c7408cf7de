import type { ArchivedRow, CopyRow } from '../url-report.js';
import { payloadDigest, recordId, recordUri, type WarcRecord } from './warc-record.js';

/** WARC 1.1, clause 6.7.2 */
const IDENTICAL_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}/;
const UTF8_MARKDOWN = 'text/markdown; charset=utf-8';

/** Records of one kept page; those of its copies refer to the first. */
export interface PageRecords {
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
export function pageRecords(jobId: string, row: ArchivedRow, json: Buffer): PageRecords {
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
export function copyRecord(jobId: string, copy: CopyRow, original: Original): WarcRecord {
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
