/** Where a target was refused. */
export type DeniedStage = 'parse' | 'dns' | 'redirect' | 'connect' | 'subresource';

/** The text is not a URL that can be fetched at all. */
export class InvalidUrlError extends Error {
  constructor(readonly url: string) {
    super('Invalid URL');
    this.name = 'InvalidUrlError';
  }
}

const MAX_SHOWN_LENGTH = 2_048;

/**
 * The guard refuses the target. The message is the same for every reason and never holds
 * the resolved address: otherwise it would disclose the inside of the network.
 */
export class BlockedUrlError extends Error {
  /** The URL as it was given, cut to 2,048 characters. */
  readonly url: string;

  constructor(
    readonly stage: DeniedStage,
    url: string,
  ) {
    const shown = url.slice(0, MAX_SHOWN_LENGTH);
    super(`Blocked URL: ${shown}`);
    this.name = 'BlockedUrlError';
    this.url = shown;
  }
}

/** The name could not be resolved. `code` is the resolver's: ENOTFOUND, ESERVFAIL, ETIMEOUT and so on. */
export class ResolveError extends Error {
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`DNS lookup failed: ${code}`, options);
    this.name = 'ResolveError';
  }
}
