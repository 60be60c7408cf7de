import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { FormDigest } from '../http/idempotency/fingerprint.js';

const FILE_FIELD = 'file';
const MAX_FIELD_BYTES = 1_024;
const MAX_FIELDS = 10;
/** One more than is taken: a second one is told, not lost. */
const MAX_FILES = 2;
const MAX_HEADERS = 20;
const MAX_HEADER_BYTES = 8_192;
/** What a form may hold beside its file. */
const MAX_FRAME_BYTES = 65_536;

export interface UploadOptions {
  /** Of the file. */
  readonly maxBytes: number;
  /** Takes the file as it comes. Rejects when the stream breaks, as it does above `maxBytes`. */
  readonly keep: (file: Readable) => Promise<unknown>;
  /** Told of every part that counts. */
  readonly digest?: FormDigest | null;
}

/**
 * Streams the `file` part of a form to `keep` and returns the text fields, which may stand before or
 * after it. @throws Refusal
 */
export async function readUpload(
  request: FastifyRequest,
  options: UploadOptions,
): Promise<ReadonlyMap<string, string>> {
  try {
    refuseDeclared(request, options.maxBytes);
    return await readParts(request, options);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    // What is left is read and thrown away: a client that still sends would not see the answer.
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
  for await (const part of request.parts({ limits: limitsFor(maxBytes) })) {
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
        keep: (file) => keep(digest?.file(FILE_FIELD, file) ?? file),
      });
    }
  }
  if (files === 0) throw new ApiError('file_required');
  return fields;
}

function limitsFor(maxBytes: number) {
  return {
    fileSize: maxBytes,
    files: MAX_FILES,
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
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
    throw new ApiError('invalid_request', { problem: `\`${part.fieldname}\` is no short text` });
  }
  return part.value;
}

async function keepWithin(
  file: MultipartFile['file'],
  { maxBytes, keep }: UploadOptions,
): Promise<void> {
  file.once('limit', () => file.destroy(tooLarge(maxBytes)));
  const kept = await keep(file).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  // Whatever the store makes of a stream that broke.
  if (file.truncated) throw tooLarge(maxBytes);
  if (kept) throw kept.error;
}

/** Known before the first byte is read. */
function refuseDeclared({ headers }: FastifyRequest, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes + MAX_FRAME_BYTES) throw tooLarge(maxBytes);
}

function tooLarge(limit: number): ApiError {
  return new ApiError('body_too_large', { limit });
}

/** Whatever the form breaks of its own rules has one text. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ApiError || !isOfForm(error)) return error;
  return new ApiError('invalid_multipart', {}, { cause: error });
}

/** Errors of the parser: some have codes of their plugin, the others only a text. */
function isOfForm(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { readonly code?: unknown }).code;
  if (typeof code === 'string') return code.startsWith('FST_');
  return /multipart|boundary|part terminated|content-type/i.test(error.message);
}
