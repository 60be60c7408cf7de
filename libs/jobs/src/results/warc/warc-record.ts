import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** One record before it is written: ISO 28500:2017 (WARC 1.1), clause 5. */
export interface WarcRecord {
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
export async function packRecord(record: WarcRecord): Promise<Buffer> {
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

export function recordUri(id: string): string {
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
