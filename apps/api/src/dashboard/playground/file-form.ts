import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { readUpload } from '../../parse/read-upload.js';
import { requireFormToken } from '../http/signed-in.js';

/** A form with a file, as it is sent on. */
export interface FileForm {
  readonly contentType: string;
  readonly parts: Readable;
}

/** A form as it arrives, at its file. */
export interface ArrivingFile {
  readonly name: string;
  /** Those that stand before the file. */
  readonly fields: ReadonlyMap<string, string>;
  /** The file with the fields that the API knows. */
  readonly form: FileForm;
}

/** The API refuses a larger one by its own limit, which is lower. */
const MAX_FILE_BYTES = 100 * 1_024 * 1_024;
const MAX_NAME_CHARS = 200;

/**
 * Passes the file of a form on while it streams in. @throws ApiError, ForeignFormError before the file is read, if the token of
 * the session does not stand before it
 */
export async function forwardFile<Result>(
  request: FastifyRequest,
  send: (file: ArrivingFile) => Promise<Result>,
): Promise<Result | undefined> {
  const fields = new Map<string, string>();
  let sent: Result | undefined;
  await readUpload(request, {
    maxBytes: MAX_FILE_BYTES,
    digest: {
      field: (name, text) => void fields.set(name, text),
      file: (_name, file) => file,
    },
    keep: async (file, { name: fileName }) => {
      requireFormToken(request, fields.get('form_token') ?? '');
      const name = fileName.slice(0, MAX_NAME_CHARS) || 'file';
      sent = await send({ name, fields, form: formOf(file, name, fields.get('format') ?? '') });
    },
  });
  return sent;
}

/** As RFC 7578 has it. */
function formOf(file: Readable, name: string, format: string): FileForm {
  const boundary = `form-${randomUUID()}`;
  const part = (header: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; ${header}\r\n\r\n`;
  async function* parts(): AsyncGenerator<Buffer> {
    if (format !== '') yield Buffer.from(`${part('name="format"')}${oneLine(format)}\r\n`);
    yield Buffer.from(part(`name="file"; filename="${oneLine(name)}"`));
    for await (const bytes of file) yield bytes as Buffer;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    parts: Readable.from(parts()),
  };
}

/** In a header of a part, a quote and the end of a line are written so. */
function oneLine(text: string): string {
  return text.replace(/["\r\n]/g, (char) => encodeURIComponent(char));
}
