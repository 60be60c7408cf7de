import type { Readable } from 'node:stream';

/**
 * The port to large outputs. A blob is visible only when it is complete and durable; an overwrite shows
 * the old bytes or the new ones, never a mixture. Every call may reject with
 * `BlobUnavailableError` (try again later) and with `BlobKeyError` (the key is wrong).
 */
export interface BlobStore {
  /**
   * Stores the body under the key and replaces an earlier one. A stream is consumed and, on failure, destroyed.
   */
  put(
    key: string,
    body: Uint8Array | Readable,
    options?: PutOptions,
  ): Promise<{ readonly bytes: number }>;
  /**
   * The blob's bytes, or those of a range; a range past the end is cut or empty. Destroy the stream if you stop
   * reading early.
   * @throws BlobNotFoundError
   */
  get(key: string, range?: BlobRange): Promise<Readable>;
  /** @throws BlobNotFoundError | BlobTooLargeError if the blob is larger than `maxBytes`. */
  read(key: string, range: BlobRange | undefined, maxBytes: number): Promise<Buffer>;
  head(key: string): Promise<BlobHead | null>;
  /** A missing blob is no error. */
  delete(key: string): Promise<void>;
  /** Deletes all blobs below a folder such as `jobs/j1/`. Returns how many. */
  deletePrefix(prefix: string): Promise<number>;
  /** Blobs below a folder such as `jobs/j1/`; `''` lists all. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** A URL that serves the blob as a download to every holder. The blob need not exist. */
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>;
  /** Resolves when blobs can be stored. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface PutOptions {
  readonly contentType?: string;
  /** Length of the stream: with any other number of bytes nothing is stored. */
  readonly contentLength?: number;
  /** S3 stores it and sends it with downloads; file stores ignore it. */
  readonly contentEncoding?: string;
}

export interface BlobRange {
  readonly offset: number;
  readonly length: number;
}

export interface BlobHead {
  readonly bytes: number;
  /** File stores do not have it. */
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

/** S3 signatures are valid for a week at most. */
export const MAX_SIGNED_SECONDS = 7 * 24 * 3600;
