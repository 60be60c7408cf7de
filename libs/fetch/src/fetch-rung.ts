import type { Deadline, ErrorClass, FetchMethod, Rung } from '@app/contracts';

export interface FetchRequest {
  readonly url: URL;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly maxBytes: number;
  /** Asked before a redirect is followed; what it throws ends the fetch. */
  readonly onRedirect?: (target: URL) => Promise<void>;
}

/** A page as a rung brought it, not yet converted. */
export interface FetchedPage {
  /** Address after redirects. */
  readonly url: string;
  readonly statusCode: number;
  readonly contentType: string | null;
  /** Owns its memory, so it can be moved to a thread. */
  readonly body: Uint8Array;
  /** Length of the body as it arrived, after decompression. */
  readonly bytes: number;
  /** The byte cap cut the body. */
  readonly isCut: boolean;
  readonly redirects: number;
  readonly timings: Readonly<Record<string, number>>;
}

export interface RungFailure {
  readonly errorClass: ErrorClass;
  /** For people: what happened, without internals. */
  readonly problem: string;
  readonly statusCode: number | null;
  readonly retryAfterMs: number | null;
}

/** What a rung brings back. A failure is a value; only a refusal of the guard is thrown. */
export type RungResult =
  | { readonly ok: true; readonly page: FetchedPage }
  | { readonly ok: false; readonly failure: RungFailure };

/**
 * One way to fetch a page. A rung that is not configured is absent from the cascade. Every byte it
 * sends goes through the egress library; it throws `BlockedUrlError` when the guard refuses.
 */
export interface FetchRung {
  readonly rung: Rung;
  readonly fetchMethod: FetchMethod;
  fetch(request: FetchRequest): Promise<RungResult>;
}
