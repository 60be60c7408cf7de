/** There is no blob with this key. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
}

/** No blob can have this key or prefix. */
export class BlobKeyError extends Error {
  override readonly name = 'BlobKeyError';
}

/** The blob is larger than the caller's limit. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

/** A stream's length differed from `bytes`; nothing was stored. */
export class BlobLengthError extends Error {
  override readonly name = 'BlobLengthError';
}

/** The store cannot be reached, is overloaded or out of space. The same call may succeed later. */
export class BlobUnavailableError extends Error {
  override readonly name = 'BlobUnavailableError';
}
