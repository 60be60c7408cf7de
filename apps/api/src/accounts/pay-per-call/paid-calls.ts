import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PayPerCallTerms } from '@app/config';
import { ApiError, type ApiErrorCode } from '@app/contracts';
import type { Facilitator } from '@app/providers';
import type { Runtime } from '@app/runtime';
import {
  claimPayment,
  payPerCallTenant,
  releasePayment,
  paymentId,
  inHeader,
  offerOf,
  settlePayment,
  takePayerRequest,
  type PaidOperation,
  type PaymentOffer,
  type ClaimedPayment,
  type SettledPayment,
} from '@app/billing';
import type { Tenant } from '@app/accounts';
import type { Database } from '@app/database';
import { actAs, letPay } from '../auth/paying-requests.js';
import { IDEMPOTENCY_HEADER } from '../../http/idempotency/idempotency-key.js';
import { factsOf } from '../../http/route-facts.js';
import { invalidRequest } from '../../http/invalid-request.js';
import { presentApiError } from '../../http/api-error.filter.js';
import { clientNetwork } from '../keys/client-network.js';
import { limitsUnreadable, rateLimited } from '../limits/limit-rate.js';
import { isFor, readPayment, sentPayment } from './read-payment.js';

/** A call with a well-formed payment. */
interface OfferedCall extends ClaimedPayment {
  readonly operation: PaidOperation['name'];
  readonly tenant: Tenant;
  readonly isOldHeader: boolean;
}

/** Shared copies would reveal to one payer which pages another requested. */
const SHARED_FIELDS = ['maxAge', 'minAge'] as const;
const RETRY_AFTER_SECONDS = 5;

export interface PaidCallsOptions {
  readonly runtime: Pick<Runtime, 'database' | 'log' | 'metrics' | 'settings' | 'publicUrl'>;
  readonly terms: PayPerCallTerms;
  readonly facilitator: Facilitator;
}

/**
 * Calls that are paid for one by one (x402 version 2), in three phases of a request: priced or counted
 * before its body is read (`admit`), verified and claimed before its work (`begin`), settled between its
 * work and its response (`end`).
 */
export class PaidCalls {
  private readonly offered = new WeakMap<FastifyRequest, OfferedCall>();
  /** Requests with a claimed payment. */
  private readonly begun = new WeakMap<FastifyRequest, OfferedCall>();

  constructor(private readonly options: PaidCallsOptions) {}

  /** Lets a call with a payment skip the key check; without a payment it gets the price. @throws ApiError */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { price } = factsOf(request);
    // A HEAD is a GET to the router; its response has no data.
    if (price === undefined || request.method === 'HEAD' || carriesCredentials(request)) return;
    const { settings: times, publicUrl, database } = this.options.runtime;
    const { terms } = this.options;
    const { method, routeOptions } = request;
    const operation = { ...price, method, path: routeOptions.url ?? '' };
    const offer = offerOf(operation, { terms, times, publicUrl });
    const sent = sentPayment(request.headers);
    if (sent === null) throw refusedWith(offer, reply, 'payment_offered');
    refuseRetryKey(request);
    const tenant = await payPerCallTenant(database).catch(limitsUnreadable);
    await countPayer(database, reply, {
      network: clientNetwork(request),
      limit: terms.requestsPerMinute,
    });
    const { payment, accepted, payload } = readPayment(sent.text);
    if (!isFor(accepted, offer.accepts[0])) {
      throw refusedWith(offer, reply, 'payment_refused', 'it was signed for other terms');
    }
    const id = paymentId(offer.accepts[0], payload);
    const { isOldHeader } = sent;
    this.offered.set(request, {
      id,
      payment,
      offer,
      operation: price.name,
      tenant,
      isOldHeader,
    });
    letPay(request);
  }

  /** From now on the call belongs to its payment. @throws ApiError */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const call = this.offered.get(request);
    if (!call) return;
    refuseSharedFields(request.method === 'GET' ? request.query : request.body);
    const payer = await this.verified(call, reply);
    await this.claim(call, reply, payer);
    this.begun.set(request, call);
    actAs(request, call.tenant);
  }

  /** Settles the payment of a call that returned data. Returns the payload to send. */
  async end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const call = this.begun.get(request);
    if (!call) return payload;
    this.begun.delete(request);
    if (!givesData(reply)) {
      await this.release(call);
      return payload;
    }
    const { facilitator, runtime } = this.options;
    const { database, log } = runtime;
    const settled = await settlePayment({ facilitator, database, log }, call);
    return this.answer(call, reply, { settled, payload });
  }

  /** The payer, as reported by the facilitator. */
  private async verified(
    { payment, offer }: OfferedCall,
    reply: FastifyReply,
  ): Promise<string | null> {
    const verdict = await this.options.facilitator
      .verify(payment, offer.accepts[0])
      .catch(paymentsUnavailable);
    if (verdict.kind === 'valid') return verdict.payer;
    this.count('refused');
    throw refusedWith(offer, reply, 'payment_refused', verdict.reason);
  }

  private async claim(
    { id, offer, operation }: OfferedCall,
    reply: FastifyReply,
    payer: string | null,
  ): Promise<void> {
    const { network, asset, amount } = offer.accepts[0];
    const claim = { id, network, asset, amount, operation, payer };
    const isClaimed = await claimPayment(this.options.runtime.database, claim).catch(
      paymentsUnavailable,
    );
    if (isClaimed) return;
    this.count('refused');
    throw refusedWith(offer, reply, 'payment_used');
  }

  private async release({ id }: OfferedCall): Promise<void> {
    const { database, log } = this.options.runtime;
    this.count('unspent');
    try {
      await releasePayment(database, id);
    } catch (err) {
      // The payment was not settled; the sweep releases it within an hour.
      log.warn({ err }, 'an unused payment could not be released yet');
    }
  }

  private answer(
    call: OfferedCall,
    reply: FastifyReply,
    { settled, payload }: { readonly settled: SettledPayment; readonly payload: unknown },
  ): unknown {
    switch (settled.kind) {
      case 'settled':
        this.count('settled');
        setSettlementHeaders(call, reply, settled);
        return payload;
      case 'unknown':
        // The payment was valid a moment ago: if it may have been settled, the payer gets the result.
        this.count('unknown');
        return payload;
      case 'failed':
        this.count('failed');
        setSettlementHeaders(call, reply, settled);
        return replaced(reply, refusedWith(call.offer, reply, 'payment_unsettled', settled.reason));
      case 'unasked':
        void reply.header('retry-after', RETRY_AFTER_SECONDS);
        return replaced(reply, new ApiError('payments_unavailable'));
    }
  }

  private count(outcome: 'settled' | 'unspent' | 'refused' | 'failed' | 'unknown'): void {
    this.options.runtime.metrics.payPerCallPayments.inc({ outcome });
  }
}

/** A client that sends a key wants to use it, even a wrong one. */
function carriesCredentials({ headers }: FastifyRequest): boolean {
  return Boolean(headers['x-api-key']) || headers.authorization !== undefined;
}

/** Stored responses belong to a tenant, and payers share one: another payer's Idempotency-Key would reveal theirs. */
function refuseRetryKey({ headers }: FastifyRequest): void {
  if (headers[IDEMPOTENCY_HEADER] === undefined) return;
  throw invalidRequest(
    '`Idempotency-Key` needs an API key: a paid call is made once by its payment',
  );
}

function refuseSharedFields(body: unknown): void {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  for (const name of SHARED_FIELDS) {
    const value = fields[name] ?? null;
    if (value !== null && value !== 0) {
      throw invalidRequest(`\`${name}\` needs an API key: a paid call always fetches a fresh page`);
    }
  }
}

/** By the same value that a call with a key is settled by: 0 for no data. */
function givesData(reply: FastifyReply): boolean {
  const credits = Number(reply.getHeader('x-credits-consumed') ?? 0);
  return reply.statusCode === 200 && credits > 0 && !reply.raw.closed;
}

function paymentsUnavailable(cause: unknown): never {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  throw new ApiError('payments_unavailable', { retryAfterSeconds }, { cause });
}

/** An error whose body is the offer (PaymentRequired), repeated in the header: clients read either. */
function refusedWith(
  offer: PaymentOffer,
  reply: FastifyReply,
  code: ApiErrorCode,
  problem = '',
): ApiError {
  const apiError = new ApiError(code, { problem }, { body: { ...offer } });
  void reply.header('payment-required', inHeader({ ...offer, error: apiError.message }));
  return apiError;
}

/** Replaces the response that was about to be sent. */
function replaced(reply: FastifyReply, apiError: ApiError): string {
  void reply
    .code(apiError.row.status)
    .header('x-credits-consumed', 0)
    .header('content-type', 'application/json; charset=utf-8');
  return JSON.stringify(presentApiError(apiError, reply.request));
}

/** Sets the SettlementResponse header of x402. */
function setSettlementHeaders(
  { offer, isOldHeader }: OfferedCall,
  reply: FastifyReply,
  settled: Extract<SettledPayment, { kind: 'settled' | 'failed' }>,
): void {
  const { network } = offer.accepts[0];
  const payer = settled.payer === null ? {} : { payer: settled.payer };
  const settlement =
    settled.kind === 'settled'
      ? { success: true, transaction: settled.transaction, network, ...payer }
      : { success: false, errorReason: settled.reason, transaction: '', network, ...payer };
  void reply.header('payment-response', inHeader(settlement));
  if (isOldHeader) void reply.header('x-payment-response', inHeader(settlement));
}

/** The rate window of payers, and its limit per minute. */
interface PayerRate {
  /** In the format of `clientNetwork`. */
  readonly network: string;
  readonly limit: number;
}

/**
 * Counts a call with a payment before any other work: payers have no account, so the call counts for
 * their network. @throws ApiError
 */
async function countPayer(
  database: Database,
  reply: FastifyReply,
  { network, limit }: PayerRate,
): Promise<void> {
  void reply.header('x-ratelimit-limit', limit).header('x-ratelimit-remaining', 0);
  const { admitted, remaining } = await takePayerRequest(database, { network, limit }).catch(
    limitsUnreadable,
  );
  if (admitted === 0) throw rateLimited('pay-per-call', limit);
  void reply.header('x-ratelimit-remaining', remaining);
}
