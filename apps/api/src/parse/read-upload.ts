import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { FormDigest } from '../http/idempotency/fingerprint.js';

const FILE_FIELD = 'file';
const MAX_FIELD_BYTES = 1_024;
/** Routes with a field that holds JSON. */
const MAX_JSON_FIELD_BYTES: Readonly<Record<string, number>> = { '/v2/parse': 65_536 };
const MAX_FIELDS = 10;
/** One more than accepted, so that a second file is an error instead of being dropped. */
const MAX_FILES = 2;
const MAX_HEADERS = 20;
const MAX_HEADER_BYTES = 8_192;
/** Limits on the form's parts beside its file. */
const MAX_FRAME_BYTES = 65_536;

/** How the sender of a file describes it. */
export interface SentFile {
  readonly name: string;
  readonly contentType: string;
}

export interface UploadOptions {
  /** Limit of the file. */
  readonly maxBytes: number;
  /** Stores the file as it streams in. Rejects when the stream breaks, as it does above `maxBytes`. */
  readonly keep: (file: Readable, sent: SentFile) => Promise<unknown>;
  /** Called for every part that counts. */
  readonly digest?: Pick<FormDigest, 'field' | 'file'> | null;
}

/**
 * Streams the `file` part of a form to `keep` and returns the text fields, which may come before or
 * after it. @throws ApiError
 */
export async function readUpload(
  request: FastifyRequest,
  options: UploadOptions,
): Promise<ReadonlyMap<string, string>> {
  try {
    refuseDeclared(request, options.maxBytes);
    return await readParts(request, options);
  } catch (error) {
    throw apiErrorOf(error);
  } finally {
    // The rest is read and discarded: a client that is still sending would not see the response.
    request.raw.unpipe();
    request.raw.resume();
  }
}

async function readParts(
  request: FastifyRequest,
  { maxBytes, keep, digest }: UploadOptions,
): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>();
  let files = 0;
  const fieldSize = MAX_JSON_FIELD_BYTES[request.routeOptions.url ?? ''] ?? MAX_FIELD_BYTES;
  for await (const part of request.parts({ limits: limitsFor(maxBytes, fieldSize) })) {
    if (part.type === 'field') {
      const text = textOf(part);
      fields.set(part.fieldname, text);
      digest?.field(part.fieldname, text);
    } else if (part.fieldname !== FILE_FIELD) {
      part.file.resume();
    } else if (++files > 1) {
      throw new ApiError('invalid_request', { problem: 'Send one `file` at a time' });
    } else {
      await keepWithin(part.file, {
        maxBytes,
        keep: (file) => keep(digest?.file(FILE_FIELD, file) ?? file, sentFile(part)),
      });
    }
  }
  if (files === 0) throw new ApiError('file_required');
  return fields;
}

/** Longer descriptions say nothing more. */
const MAX_NAME_CHARS = 255;

/** A part of bytes may come without a name, against the type of the parser. */
const sentFile = ({
  filename = '',
  mimetype,
}: Pick<MultipartFile, 'mimetype'> & { readonly filename?: string }): SentFile => ({
  name: filename.slice(-MAX_NAME_CHARS),
  contentType: mimetype.slice(0, MAX_NAME_CHARS),
});

function limitsFor(maxBytes: number, fieldSize: number) {
  return {
    fileSize: maxBytes,
    files: MAX_FILES,
    fields: MAX_FIELDS,
    fieldSize,
    parts: MAX_FIELDS + MAX_FILES,
    headerPairs: MAX_HEADERS,
    headerSize: MAX_HEADER_BYTES,
  };
}

function textOf(part: {
  readonly fieldname: string;
  readonly value: unknown;
  readonly valueTruncated: boolean;
}): string {
  if (part.valueTruncated || typeof part.value !== 'string') {
    throw new ApiError('invalid_request', {
      problem: `\`${part.fieldname}\` must be a short text`,
    });
  }
  return part.value;
}

async function keepWithin(
  file: MultipartFile['file'],
  {
    maxBytes,
    keep,
  }: { readonly maxBytes: number; readonly keep: (file: Readable) => Promise<unknown> },
): Promise<void> {
  file.once('limit', () => file.destroy(tooLarge(maxBytes)));
  const kept = await keep(file).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  // The stream's own error matters, not the store's.
  if (file.truncated) throw tooLarge(maxBytes);
  if (kept) throw kept.error;
}

/** Checked before the first byte is read. */
function refuseDeclared({ headers }: FastifyRequest, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes + MAX_FRAME_BYTES) throw tooLarge(maxBytes);
}

function tooLarge(limit: number): ApiError {
  return new ApiError('body_too_large', { limit });
}

/** One text for every malformed form. */
function apiErrorOf(error: unknown): unknown {
  if (error instanceof ApiError || !isOfForm(error)) return error;
  return new ApiError('invalid_multipart', {}, { cause: error });
}

/** Errors of the parser: some have codes of the plugin, the others only a text. */
function isOfForm(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { readonly code?: unknown }).code;
  if (typeof code === 'string') return code.startsWith('FST_');
  return /multipart|boundary|part terminated|content-type/i.test(error.message);
}
