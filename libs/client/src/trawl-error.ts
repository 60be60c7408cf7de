import type { Schemas } from './schemas.js';

/** Codes of errors that the client itself finds; every other one comes from the service. */
export type ClientErrorCode =
  /** No response: the connection failed or broke. */
  | 'network'
  /** No complete response within `timeoutMs`. */
  | 'timeout'
  /** The response is not one of this API: `baseUrl` may lead to something else. */
  | 'invalid_response'
  /** The job ended as `failed`. */
  | 'job_failed'
  /** The job was deleted while it was followed. */
  | 'job_deleted'
  /** The webhook was not signed with this secret. */
  | 'webhook_signature'
  /** The webhook is older or newer than the tolerance. */
  | 'webhook_timestamp';

/** The codes known to this version; a newer service may send others. */
export type TrawlErrorCode = Schemas['AgentError']['code'] | ClientErrorCode | (string & {});

export interface TrawlErrorFields {
  readonly code: TrawlErrorCode;
  /** HTTP status; undefined without a response. */
  readonly status?: number;
  /** How to fix the request. */
  readonly hint?: string;
  /** Names the request in the logs of the service. */
  readonly requestId?: string;
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean;
  /** Delay that the service requests before the next try, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Every field of the error body, for instance `cascade` of a failed scrape. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * A call that failed. `message` is for people, `code` for programs: it is stable. An aborted call rejects with
 * the reason of its signal instead.
 */
export class TrawlError extends Error {
  override readonly name = 'TrawlError';
  readonly code: TrawlErrorCode;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, fields: TrawlErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.hint = fields.hint;
    this.requestId = fields.requestId;
    this.retryable = fields.retryable ?? false;
    this.retryAfterMs = fields.retryAfterMs;
    this.details = fields.details ?? {};
  }
}
