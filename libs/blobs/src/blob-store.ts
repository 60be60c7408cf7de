import type { Readable } from 'node:stream';

/**
 * The port to large outputs. A blob is visible only when it is complete and durable; an overwrite shows
 * the old bytes or the new ones, never a mixture. Every call may reject with
 * `BlobUnavailableError` (try again later) and with `BlobKeyError` (the key is wrong).
 */
export interface BlobStore {
  /** Stores the body under the key, replacing what was there. A stream is consumed and, on failure, destroyed. */
  put(
    key: string,
    body: Uint8Array | Readable,
    options?: PutOptions,
  ): Promise<{ readonly bytes: number }>;
  /**
   * The blob's bytes, or those of a range; a range past the end is cut or empty. Destroy the stream when you
   * stop reading early.
   * @throws BlobNotFoundError
   */
  get(key: string, range?: BlobRange): Promise<Readable>;
  /** @throws BlobNotFoundError | BlobTooLargeError when there is more than `maxBytes`. */
  read(key: string, range: BlobRange | undefined, maxBytes: number): Promise<Buffer>;
  head(key: string): Promise<BlobHead | null>;
  /** A missing blob is fine. */
  delete(key: string): Promise<void>;
  /** Deletes all blobs below a folder such as `jobs/j1/`. Returns how many. */
  deletePrefix(prefix: string): Promise<number>;
  /** Blobs below a folder such as `jobs/j1/`; `''` lists all. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** An address that serves the blob as a download to whoever holds it. It is not checked that the blob exists. */
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>;
  /** Resolves when blobs can be stored. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface PutOptions {
  readonly contentType?: string;
  /** What a stream must amount to: with other than that many bytes nothing is stored. */
  readonly contentLength?: number;
  /** Kept by S3, which then says so in downloads; file stores do not keep it. */
  readonly contentEncoding?: string;
}

export interface BlobRange {
  readonly offset: number;
  readonly length: number;
}

export interface BlobHead {
  readonly bytes: number;
  /** Not kept by file stores. */
  readonly contentType?: string;
}

export interface ListedBlob {
  readonly key: string;
  readonly bytes: number;
}

export interface SignedUrlOptions {
  /** At most {@link MAX_SIGNED_SECONDS}. */
  readonly expiresInSeconds: number;
  readonly fileName: string;
  readonly contentType: string;
}

/** S3 signs for a week at most. */
export const MAX_SIGNED_SECONDS = 7 * 24 * 3600;
