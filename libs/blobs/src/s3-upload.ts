import type { Readable } from 'node:stream';
import type { Client } from 'minio';
import { errorCode } from '@app/contracts';
import { BlobLengthError } from './blob-errors.js';
import { retrying } from './s3-retry.js';

/** Memory of an upload of unknown length. S3 allows 10,000 parts, so 80 GB. */
export const PART_BYTES = 8 * 1024 * 1024;

export interface Upload {
  readonly bucket: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One PUT. The payload is not signed: a hash of every body costs more than the rest of the request, and TLS
 * protects it anyway. (The client's putObject computes two.)
 */
export async function putOnce(
  client: Client,
  upload: Upload,
  body: Buffer,
  query = '',
): Promise<string> {
  return retrying(upload.name, async () => {
    const response = await client.makeRequestStreamAsync(
      {
        method: 'PUT',
        bucketName: upload.bucket,
        objectName: upload.name,
        headers: { ...upload.headers, 'content-length': String(body.length) },
        query,
      },
      body,
      '',
      [200],
      '',
    );
    response.resume();
    return String(response.headers.etag ?? '').replaceAll('"', '');
  });
}

/**
 * A body of unknown length: a short one in one PUT, others in parts. The client's version is not used: it
 * continues any unfinished upload of the same name, even one that is still running.
 */
export async function putStream(
  client: Client,
  upload: Upload,
  body: Readable,
  wantedBytes?: number,
): Promise<number> {
  const parts = partsOf(body);
  try {
    const first = await parts.next();
    const start = first.done ? Buffer.alloc(0) : first.value;
    if (start.length === PART_BYTES)
      return await putParts(client, upload, start, parts, wantedBytes);
    assertLength(start.length, wantedBytes);
    await putOnce(client, upload, start);
    return start.length;
  } finally {
    body.destroy();
  }
}

async function putParts(
  client: Client,
  upload: Upload,
  first: Buffer,
  rest: AsyncGenerator<Buffer>,
  wantedBytes?: number,
): Promise<number> {
  const { bucket, name, headers } = upload;
  const uploadId = await retrying(name, () =>
    client.initiateNewMultipartUpload(bucket, name, { ...headers }),
  );
  const etags: { part: number; etag: string }[] = [];
  let bytes = 0;
  const putPart = async (body: Buffer): Promise<void> => {
    const part = etags.length + 1;
    const query = `partNumber=${part}&uploadId=${encodeURIComponent(uploadId)}`;
    etags.push({ part, etag: await putOnce(client, { ...upload, headers: {} }, body, query) });
    bytes += body.length;
  };
  try {
    await putPart(first);
    for await (const body of rest) await putPart(body);
    assertLength(bytes, wantedBytes);
    await complete(client, upload, uploadId, etags, bytes);
    return bytes;
  } catch (error) {
    // Best effort: a leftover upload is invisible, and the bucket's lifecycle rule removes it.
    await client.abortMultipartUpload(bucket, name, uploadId).catch(() => undefined);
    throw error;
  }
}

/** A completion whose response was lost has happened: its repetition finds no upload, but the blob. */
async function complete(
  client: Client,
  { bucket, name }: Upload,
  uploadId: string,
  etags: { part: number; etag: string }[],
  bytes: number,
): Promise<void> {
  await retrying(name, async (tries) => {
    try {
      await client.completeMultipartUpload(bucket, name, uploadId, etags);
    } catch (error) {
      if (tries === 0 || errorCode(error) !== 'NoSuchUpload') throw error;
      const { size } = await client.statObject(bucket, name);
      if (size !== bytes) throw error;
    }
  });
}

/** Buffers of exactly {@link PART_BYTES}, except for the last. Each is valid only until the next is read. */
async function* partsOf(body: Readable): AsyncGenerator<Buffer> {
  let part: Buffer | null = null;
  let filled = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
    let left = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (left.length > 0) {
      part ??= Buffer.allocUnsafeSlow(PART_BYTES);
      const taken = left.subarray(0, PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      left = left.subarray(taken.length);
      if (filled < PART_BYTES) continue;
      yield part;
      filled = 0;
    }
  }
  if (part !== null && filled > 0) yield part.subarray(0, filled);
}

function assertLength(bytes: number, wantedBytes: number | undefined): void {
  if (wantedBytes === undefined || bytes === wantedBytes) return;
  throw new BlobLengthError(`The body has ${bytes} bytes instead of ${wantedBytes}`);
}
