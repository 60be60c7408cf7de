import type { Readable } from 'node:stream';
import http from 'node:http';
import https from 'node:https';
import type { Client } from 'minio';
import { errorCode } from '@app/contracts';
import { BlobLengthError, BlobNotFoundError, BlobUnavailableError } from './blob-errors.js';

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

const RETRY_DELAYS_MS = [100, 300, 900] as const;
const CONNECTION_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const MISSING_CODES = new Set(['NoSuchKey', 'NotFound', 'NoSuchBucket']);

/**
 * Retries with growing delays while the store is busy or unreachable; a kept connection that the store has
 * closed looks the same. Only for idempotent requests.
 * @throws BlobUnavailableError | BlobNotFoundError
 */
export async function retrying<T>(
  what: string,
  attempt: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt(tries);
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[tries];
      if (!isTransient(error) || delayMs === undefined) throw translated(error, what);
      await new Promise((resolve) => setTimeout(resolve, delayMs * (0.5 + Math.random())));
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof StorageBusyError || CONNECTION_CODES.has(errorCode(error));
}

function translated(error: unknown, what: string): unknown {
  if (isTransient(error)) {
    return new BlobUnavailableError(`Blob store: ${what}: ${messageOf(error)}`, { cause: error });
  }
  if (MISSING_CODES.has(errorCode(error)))
    return new BlobNotFoundError(`No blob ${what}`, { cause: error });
  return error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const MAX_SOCKETS = 64;
/** Maximum silence of the store until its response begins. */
const ANSWER_WAIT_MS = 30_000;
/** Maximum silence within a response; readers may be slow, and a stalled reader stalls the socket. */
const BODY_WAIT_MS = 300_000;
const BUSY_STATUSES = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/** The store requests a retry later. */
class StorageBusyError extends Error {
  override readonly name = 'StorageBusyError';
}

export interface S3Transport {
  readonly agent: http.Agent;
  readonly request: typeof http.request;
}

/**
 * HTTP with keep-alive and limits on silence. A busy response becomes an error here: the client would not read
 * its body, which blocks a connection forever.
 */
export function openS3Transport(useTls: boolean): S3Transport {
  const { Agent, request } = useTls ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const limited = (
    options: http.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest => {
    const sent = request(options, (response) => {
      response.setTimeout(BODY_WAIT_MS, () =>
        response.destroy(new Error('The store stopped sending data')),
      );
      if (!BUSY_STATUSES.has(response.statusCode ?? 0)) return onResponse(response);
      response.resume();
      sent.emit('error', new StorageBusyError(`The store responded with ${response.statusCode}`));
    });
    sent.setTimeout(ANSWER_WAIT_MS, () =>
      sent.destroy(new StorageBusyError('The store did not respond in time')),
    );
    return sent;
  };
  return { agent, request: limited as typeof http.request };
}
