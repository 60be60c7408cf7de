/** There is no blob with this key. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
}

/** The key, or prefix, can never name a blob. */
export class BlobKeyError extends Error {
  override readonly name = 'BlobKeyError';
}

/** There is more than the caller wants to hold in memory. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

/** A stream had other than the promised number of bytes; nothing was stored. */
export class BlobLengthError extends Error {
  override readonly name = 'BlobLengthError';
}

/** The store cannot be reached, is overloaded or out of space. The same call may succeed later. */
export class BlobUnavailableError extends Error {
  override readonly name = 'BlobUnavailableError';
}
