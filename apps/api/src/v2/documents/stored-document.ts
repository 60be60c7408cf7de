import type { FetchMethod, ParsedFile } from '@app/contracts';
import type { ResultDocument } from '@app/jobs';
import { FILE_TYPES } from '../../parse/file-types.js';
import { membersOf } from './json-members.js';
import { type PageOrigin, v2Metadata } from './v2-metadata.js';

/** A stored page costs one credit. */
const CREDITS_PER_PAGE = 1;

/** Outputs of a stored page that a document has under the same name. */
const OUTPUTS = [
  'markdown',
  'rawHtml',
  'links',
  'screenshot',
  'branding',
  'json',
  'summary',
] as const;

/**
 * A stored result of a job as a document: JSON text made from JSON text, since a job has many pages and the text of each
 * stays as it is.
 * @param schemeless indexes of a batch whose URLs were sent without a scheme
 */
export function presentV2Stored(result: Buffer, schemeless: readonly number[] = []): Buffer {
  const members = membersOf(result);
  const pieces = OUTPUTS.flatMap((name) => {
    const value = members.get(name);
    return value && !value.equals(NULL) ? [Buffer.from(`"${name}":`), value, COMMA] : [];
  });
  const warning = warningOf(members);
  return Buffer.concat([
    Buffer.from('{'),
    ...pieces,
    ...(warning === null ? [] : [Buffer.from(`"warning":${JSON.stringify(warning)},`)]),
    Buffer.from(`"metadata":${JSON.stringify(asSent(metadataOf(members), members, schemeless))}}`),
  ]);
}

const COMMA = Buffer.from(',');
/** Requested, but not available. */
const NULL = Buffer.from('null');

function asSent(
  metadata: Record<string, unknown>,
  members: ReadonlyMap<string, Buffer>,
  schemeless: readonly number[],
): Record<string, unknown> {
  const index = parsed(members.get('index'));
  if (typeof index !== 'number' || !schemeless.includes(index)) return metadata;
  return { ...metadata, sourceURL: String(metadata['sourceURL']).replace(/^http:\/\//, '') };
}

function warningOf(members: ReadonlyMap<string, Buffer>): string | null {
  const reason = members.get('partial_reason');
  return reason ? `The content is incomplete: ${String(parsed(reason))}.` : null;
}

function metadataOf(members: ReadonlyMap<string, Buffer>): Record<string, unknown> {
  const url = String(parsed(members.get('url')));
  const metadata = parsed(members.get('metadata')) as ResultDocument['metadata'] | undefined;
  if (!metadata) return v2Metadata({}, fileOrigin(url, members));
  const { sourceURL, contentType, fetchMethod, cacheAgeMs } = metadata;
  return v2Metadata(metadata, {
    ...{ sourceURL, url, contentType, cacheAgeMs },
    statusCode: Number(parsed(members.get('statusCode'))),
    fetchMethod: fetchMethod as FetchMethod,
    creditsUsed: CREDITS_PER_PAGE,
  });
}

/** Document files are stored without metadata; only those that were fetched are stored. */
function fileOrigin(url: string, members: ReadonlyMap<string, Buffer>): PageOrigin {
  const format = parsed(members.get('format')) as ParsedFile['format'] | undefined;
  const contentType = FILE_TYPES[format ?? 'pdf'];
  return { sourceURL: url, url, statusCode: 200, contentType, creditsUsed: CREDITS_PER_PAGE };
}

function parsed(json: Buffer | undefined): unknown {
  return json ? (JSON.parse(json.toString('utf8')) as unknown) : undefined;
}
