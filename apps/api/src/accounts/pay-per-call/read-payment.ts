import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@app/contracts';
import type { PaymentTerms, SignedPayment } from '@app/providers';
import { structureProblem } from '../../http/json-structure.js';
import { X402_VERSION } from '@app/billing';

/** Payments are one to three kilobytes; the server accepts 16 KiB of headers in total. */
export const MAX_PAYMENT_CHARS = 8_192;

/** A payment header as it was sent. */
export interface SentPayment {
  readonly text: string;
  /** Sent in the header of version 1: the response uses the header of version 1 too. */
  readonly isOldHeader: boolean;
}

/** Null: the request carries no payment. */
export function sentPayment(headers: IncomingHttpHeaders): SentPayment | null {
  const text = headers['payment-signature'];
  if (text !== undefined) return { text: String(text), isOldHeader: false };
  const old = headers['x-payment'];
  return old === undefined ? null : { text: String(old), isOldHeader: true };
}

/** A well-formed payment; only the facilitator can verify it. */
export interface ReadPayment {
  readonly payment: SignedPayment;
  readonly accepted: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** @throws ApiError payment_unreadable */
export function readPayment(text: string): ReadPayment {
  const payment = objectIn(decoded(text));
  if (payment === null) throw unreadable('it is not base64 of a JSON object');
  const version = payment['x402Version'];
  if (version !== X402_VERSION) {
    throw unreadable(`\`x402Version\` must be ${X402_VERSION}: sign one of \`accepts\` again`);
  }
  const accepted = objectIn(payment['accepted']);
  if (accepted === null) throw unreadable('`accepted` must be one of the offered terms');
  const payload = objectIn(payment['payload']);
  if (payload === null) throw unreadable('`payload` must be an object');
  return { payment, accepted, payload };
}

/** Whether a client signed exactly these terms; a token's address may be in either case. */
export function isFor(accepted: ReadPayment['accepted'], terms: PaymentTerms): boolean {
  const { scheme, network, amount, asset, payTo } = terms;
  return Object.entries({ scheme, network, amount, asset, payTo }).every(([name, value]) => {
    const given = accepted[name];
    return typeof given === 'string' && comparable(given) === comparable(value);
  });
}

/** Hexadecimal addresses use their case as a checksum; other addresses are case-sensitive. */
function comparable(text: string): string {
  return /^0x[\da-f]+$/i.test(text) ? text.toLowerCase() : text;
}

const BASE64 = /^[\w+/-]+={0,2}$/;

function decoded(text: string): unknown {
  if (text.length > MAX_PAYMENT_CHARS) {
    throw unreadable(`it is longer than ${MAX_PAYMENT_CHARS} characters`);
  }
  if (!BASE64.test(text)) return null;
  const json = Buffer.from(text, 'base64').toString('utf8');
  if (structureProblem(json) !== null) throw unreadable('its JSON is nested too deeply');
  try {
    return JSON.parse(json);
  } catch {
    // The caller reports it, like any other text that is not a payment.
    return null;
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : null;
}

function unreadable(problem: string): ApiError {
  return new ApiError('payment_unreadable', { problem });
}
