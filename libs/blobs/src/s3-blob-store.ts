import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type * as Minio from 'minio';
import { errorCode } from '@app/contracts';
import { BlobLengthError, BlobNotFoundError } from './blob-errors.js';
import { observed, type BlobOperation, type BlobStoreEvents } from './blob-events.js';
import { assertDeletablePrefix, assertKey, assertPrefix } from './blob-key.js';
import { MAX_SIGNED_SECONDS } from './blob-store.js';
import type {
  BlobHead,
  BlobRange,
  BlobStore,
  ListedBlob,
  PutOptions,
  SignedUrlOptions,
} from './blob-store.js';
import { contentDisposition } from './download-token.js';
import { readAll } from './read-all.js';
import { atPublicEndpoint, parseS3Address, type S3Address } from './s3-address.js';
import {
  retrying,
  openS3Transport,
  type S3Transport,
  putOnce,
  putStream,
  type Upload,
} from './s3-upload.js';

/** Loaded for the first store: a process that keeps its blobs in files starts sooner without it. */
const minio = (): typeof Minio => createRequire(import.meta.url)('minio') as typeof Minio;

/** Limit of one multi-object delete. */
const DELETE_BATCH = 1000;

export interface S3BlobStoreOptions {
  /** `s3+http(s)://ACCESS:SECRET@host:port/bucket[/prefix]?region=…` */
  readonly url: string;
  /** The `http(s)://host[:port]` of the store for clients, if it differs. */
  readonly publicStorageUrl?: string;
  readonly events?: BlobStoreEvents;
}

/** Blobs in MinIO or any other S3 store. The bucket is created if it is missing. */
export class S3BlobStore implements BlobStore {
  private readonly address: S3Address;
  private readonly transport: S3Transport;
  private readonly client: Minio.Client;
  /** Signs URLs for clients and never connects. */
  private readonly signer: Minio.Client;
  private readonly events: BlobStoreEvents;

  constructor({ url, publicStorageUrl, events }: S3BlobStoreOptions) {
    this.address = parseS3Address(url);
    this.transport = openS3Transport(this.address.useTls);
    this.client = clientOf(this.address, this.transport);
    this.signer =
      publicStorageUrl === undefined
        ? this.client
        : clientOf(atPublicEndpoint(this.address, publicStorageUrl));
    this.events = events ?? {};
  }

  async put(
    key: string,
    body: Uint8Array | Readable,
    options: PutOptions = {},
  ): Promise<{ readonly bytes: number }> {
    return this.observed('put', key, async () => {
      const upload: Upload = {
        bucket: this.address.bucket,
        name: this.nameOf(key),
        headers: headersOf(options),
      };
      const bytes =
        body instanceof Uint8Array
          ? await this.putBytes(upload, body, options)
          : await this.putStream(upload, body, options);
      this.events.transferred?.('put', bytes);
      return { bytes };
    });
  }

  async get(key: string, range?: BlobRange): Promise<Readable> {
    return this.observed('get', key, async () => {
      if (range?.length === 0) return this.nothing(key);
      try {
        return await this.open(key, range);
      } catch (error) {
        if (errorCode(error) !== 'InvalidRange') throw error;
        return Readable.from([]);
      }
    });
  }

  async read(key: string, range: BlobRange | undefined, maxBytes: number): Promise<Buffer> {
    assertKey(key);
    return retrying(key, async () => readAll(await this.get(key, range), maxBytes));
  }

  async head(key: string): Promise<BlobHead | null> {
    return this.observed('head', key, async () => {
      const found = await retrying(key, () =>
        this.client.statObject(this.address.bucket, this.nameOf(key)),
      );
      const contentType: unknown = found.metaData['content-type'];
      return typeof contentType === 'string'
        ? { bytes: found.size, contentType }
        : { bytes: found.size };
    }).catch(nullWhenMissing);
  }

  async delete(key: string): Promise<void> {
    await this.observed('delete', key, () =>
      retrying(key, () => this.client.removeObject(this.address.bucket, this.nameOf(key))),
    ).catch(nullWhenMissing);
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertDeletablePrefix(prefix);
    return observed(this.events, 'delete', async () => {
      let count = 0;
      let batch: string[] = [];
      for await (const { key } of this.list(prefix)) {
        count++;
        if (batch.push(this.nameOf(key)) < DELETE_BATCH) continue;
        await this.deleteAll(batch);
        batch = [];
      }
      await this.deleteAll(batch);
      return count;
    });
  }

  async *list(prefix: string): AsyncIterable<ListedBlob> {
    assertPrefix(prefix);
    let after = '';
    try {
      for (;;) {
        const page = await retrying(prefix, () => this.page(prefix, after));
        yield* page;
        if (page.length === 0) return;
        after = this.nameOf(page[page.length - 1]?.key ?? '');
      }
    } catch (error) {
      nullWhenMissing(error); // no bucket yet: nothing to list
    }
  }

  async signedUrl(
    key: string,
    { expiresInSeconds, fileName, contentType }: SignedUrlOptions,
  ): Promise<string> {
    assertKey(key);
    if (expiresInSeconds > MAX_SIGNED_SECONDS)
      throw new RangeError('A download link is valid for a week at most');
    return this.signer.presignedGetObject(this.address.bucket, this.nameOf(key), expiresInSeconds, {
      'response-content-disposition': contentDisposition(fileName),
      'response-content-type': contentType,
    });
  }

  /** Reads the bucket's location, which even an account without the right to list keys may do. */
  async ping(): Promise<void> {
    try {
      await retrying('ping', () => this.askLocation());
    } catch (error) {
      if (!isBucketMissing(error)) throw error;
      await retrying('ping', () => this.ensureBucket());
    }
  }

  async close(): Promise<void> {
    this.transport.agent.destroy();
  }

  private nameOf(key: string): string {
    return this.address.prefix + key;
  }

  private async putBytes(
    upload: Upload,
    body: Uint8Array,
    { contentLength }: PutOptions,
  ): Promise<number> {
    if (contentLength !== undefined && contentLength !== body.length) {
      throw new BlobLengthError(`The body has ${body.length} bytes instead of ${contentLength}`);
    }
    const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    try {
      await putOnce(this.client, upload, buffer);
    } catch (error) {
      if (!isBucketMissing(error)) throw error;
      await this.ensureBucket();
      await putOnce(this.client, upload, buffer);
    }
    return body.length;
  }

  /** A stream cannot be sent twice, so the bucket is checked first: speed does not matter here. */
  private async putStream(
    upload: Upload,
    body: Readable,
    { contentLength }: PutOptions,
  ): Promise<number> {
    try {
      await this.ping();
    } catch (error) {
      body.destroy();
      throw error;
    }
    return putStream(this.client, upload, body, contentLength);
  }

  private async open(key: string, range: BlobRange | undefined): Promise<Readable> {
    const { bucket } = this.address;
    const { offset = 0, length = 0 } = range ?? {};
    const stream = await retrying(key, () =>
      this.client.getPartialObject(bucket, this.nameOf(key), offset, length),
    );
    const headers: unknown = 'headers' in stream ? stream.headers : null;
    const bytes =
      typeof headers === 'object' && headers !== null && 'content-length' in headers
        ? Number(headers['content-length'])
        : 0;
    this.events.transferred?.('get', bytes);
    return stream;
  }

  /** S3 does not support an empty range. */
  private async nothing(key: string): Promise<Readable> {
    if ((await this.head(key)) === null) throw new BlobNotFoundError(`No blob ${key}`);
    return Readable.from([]);
  }

  private async page(prefix: string, after: string): Promise<readonly ListedBlob[]> {
    const found: ListedBlob[] = [];
    const stream = this.client.listObjectsV2(this.address.bucket, this.nameOf(prefix), true, after);
    for await (const { name, size } of stream as AsyncIterable<{ name?: string; size: number }>) {
      if (name !== undefined)
        found.push({ key: name.slice(this.address.prefix.length), bytes: size });
      if (found.length === DELETE_BATCH) break;
    }
    return found;
  }

  private async deleteAll(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const failures = await retrying('deletion', () =>
      this.client.removeObjects(this.address.bucket, [...names]),
    );
    const failure: unknown = failures.find((result) => result?.Error !== undefined)?.Error;
    if (failure !== undefined)
      throw new Error(`The store did not delete every blob: ${JSON.stringify(failure)}`);
  }

  private async askLocation(): Promise<void> {
    const { bucket, region } = this.address;
    const question = { method: 'GET', bucketName: bucket, query: 'location' };
    const response = await this.client.makeRequestAsync(question, '', [200], region);
    response.resume();
  }

  /** Several processes may find the bucket missing at once; for the later ones its creation is no error. */
  private async ensureBucket(): Promise<void> {
    const { bucket, region } = this.address;
    if (await this.client.bucketExists(bucket)) return;
    try {
      await this.client.makeBucket(bucket, region);
    } catch (error) {
      if (!(await this.client.bucketExists(bucket))) throw error;
    }
  }

  private observed<T>(operation: BlobOperation, key: string, work: () => Promise<T>): Promise<T> {
    return observed(this.events, operation, async () => {
      assertKey(key);
      return work();
    });
  }
}

function clientOf(address: S3Address, transport?: S3Transport): Minio.Client {
  const client = new (minio().Client)({
    endPoint: address.host,
    port: address.port,
    useSSL: address.useTls,
    accessKey: address.accessKey,
    secretKey: address.secretKey,
    region: address.region,
    // Retries are done here: the client's log to the console and ignore connection failures.
    retryOptions: { disableRetry: true },
    ...(transport && { transport, transportAgent: transport.agent }),
  });
  client.enableSHA256 = false; // unsigned payloads: see putOnce
  return client;
}

function headersOf({ contentType, contentEncoding }: PutOptions): Record<string, string> {
  return {
    'content-type': contentType ?? 'application/octet-stream',
    ...(contentEncoding !== undefined && { 'content-encoding': contentEncoding }),
  };
}

function isBucketMissing(error: unknown): boolean {
  return error instanceof BlobNotFoundError && errorCode(error.cause) === 'NoSuchBucket';
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof BlobNotFoundError) return null;
  throw error;
}
