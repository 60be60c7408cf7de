import { Deadline } from '@app/contracts';
import type { HttpClient, HttpResponse } from '@app/egress';

/** A client whose guard admits only the facilitator. */
export type FacilitatorHttp = Pick<HttpClient, 'fetch'>;

export interface HttpFacilitatorOptions {
  /** URL before `/verify` and `/settle`, without a trailing slash. */
  readonly url: string;
  /** Sent as a bearer token; empty: none. */
  readonly token: string;
  /** From `EgressGuard.forEndpoint(url)`. */
  readonly http: FacilitatorHttp;
  /** @default 10_000 */
  readonly verifyTimeoutMs?: number;
  /** A network needs time to accept a transaction. @default 30_000 */
  readonly settleTimeoutMs?: number;
}

export const VERIFY_TIMEOUT_MS = 10_000;
export const SETTLE_TIMEOUT_MS = 30_000;
/** Its responses are a few hundred bytes; some quote the payment. */
const MAX_ANSWER_BYTES = 262_144;
const MAX_REASON_CHARS = 200;
const X402_VERSION = 2;

type Answer = Readonly<Record<string, unknown>>;

/** A facilitator by its HTTP interface (x402 version 2, chapter 7). */
export class HttpFacilitator implements Facilitator {
  readonly #token: string;
  private readonly url: string;
  private readonly http: FacilitatorHttp;
  private readonly verifyTimeoutMs: number;
  private readonly settleTimeoutMs: number;
  private readonly closing = new AbortController();

  constructor(options: HttpFacilitatorOptions) {
    this.#token = options.token;
    this.url = options.url;
    this.http = options.http;
    this.verifyTimeoutMs = options.verifyTimeoutMs ?? VERIFY_TIMEOUT_MS;
    this.settleTimeoutMs = options.settleTimeoutMs ?? SETTLE_TIMEOUT_MS;
  }

  /** Aborts running requests; later ones fail at once. */
  close(): void {
    this.closing.abort(new Error('closing'));
  }

  async verify(payment: SignedPayment, terms: PaymentTerms): Promise<PaymentVerification> {
    const { isValid, invalidReason, payer } = await this.call('verify', payment, terms);
    if (isValid === true) return { kind: 'valid', payer: reasonOf(payer) };
    if (isValid === false) {
      return { kind: 'invalid', reason: reasonOf(invalidReason) ?? 'the payment is not valid' };
    }
    throw unreadable('verify');
  }

  async settle(payment: SignedPayment, terms: PaymentTerms): Promise<Settlement> {
    const answer = await this.call('settle', payment, terms);
    const payer = reasonOf(answer['payer']);
    if (answer['success'] === false) {
      const reason = reasonOf(answer['errorReason']) ?? 'the payment was not settled';
      return { kind: 'failed', reason, payer };
    }
    const transaction = reasonOf(answer['transaction']);
    if (answer['success'] !== true || transaction === null) throw unreadable('settle');
    return { kind: 'settled', transaction, payer };
  }

  /** A refused payment may have any status; the body decides. */
  private async call(
    what: 'verify' | 'settle',
    payment: SignedPayment,
    terms: PaymentTerms,
  ): Promise<Answer> {
    const body = JSON.stringify({
      x402Version: X402_VERSION,
      paymentPayload: payment,
      paymentRequirements: terms,
    });
    const response = await this.send(what, body);
    const answer = response.truncated ? null : parseObject(response);
    if (answer === null) throw unreadable(what, response.status);
    return answer;
  }

  private async send(what: 'verify' | 'settle', body: string): Promise<HttpResponse> {
    const timeoutMs = what === 'verify' ? this.verifyTimeoutMs : this.settleTimeoutMs;
    const bearer: Record<string, string> =
      this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` };
    try {
      return await this.http.fetch({
        url: `${this.url}/${what}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...bearer },
        body,
        deadline: Deadline.after(timeoutMs),
        signal: this.closing.signal,
        maxBytes: MAX_ANSWER_BYTES,
        maxRedirects: 0,
      });
    } catch (cause) {
      throw new FacilitatorError('unreachable', `the facilitator did not respond to ${what}`, {
        cause,
      });
    }
  }
}

function unreadable(what: string, status?: number): FacilitatorError {
  const found = status === undefined ? 'no result' : `no result, with status ${status}`;
  return new FacilitatorError('unreadable', `the facilitator responded to ${what} with ${found}`);
}

function parseObject({ body }: HttpResponse): Answer | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Answer) : null;
  } catch {
    // The caller reports a response without a result.
    return null;
  }
}

/** Text of a third party, fit for a header, a log and a message; null if there is none, or not text. */
function reasonOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON_CHARS);
}

/**
 * The price of one call (x402 version 2: PaymentRequirements). Clients and the facilitator get it unchanged.
 */
export interface PaymentTerms {
  /** An authorization for exactly this amount, spent once. */
  readonly scheme: 'exact';
  /** CAIP-2. */
  readonly network: string;
  /** In the smallest units of the asset, decimal. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  /** How long the authorization must be valid after it is signed. */
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The payload a client signed (PaymentPayload), unchanged: only the facilitator verifies it. */
export type SignedPayment = Readonly<Record<string, unknown>>;

/** Reasons are the facilitator's texts: printable ASCII, at most 200 characters. */
type PaymentVerification =
  | { readonly kind: 'valid'; readonly payer: string | null }
  | { readonly kind: 'invalid'; readonly reason: string };

type Settlement =
  | {
      readonly kind: 'settled';
      /** Its id on the network. */
      readonly transaction: string;
      readonly payer: string | null;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly payer: string | null };

/**
 * `unreachable`: no response. `unreadable`: a response without a result. After either, it is unknown whether a
 * settlement moved money.
 */
type FacilitatorFailure = 'unreachable' | 'unreadable';

/** The result of the request is unknown. The message is for logs: it contains neither token nor payment. */
export class FacilitatorError extends Error {
  constructor(
    readonly failure: FacilitatorFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'FacilitatorError';
  }
}

/** Verifies payments and moves the money. Both methods reject with {@link FacilitatorError}. */
export interface Facilitator {
  /** Whether the payment is valid now; moves no money. */
  verify(payment: SignedPayment, terms: PaymentTerms): Promise<PaymentVerification>;
  /** Moves the money: call it only once for a payment. */
  settle(payment: SignedPayment, terms: PaymentTerms): Promise<Settlement>;
}
