import { createHash } from 'node:crypto';
import type { PaymentTerms } from '@app/providers';

type Values = Readonly<Record<string, unknown>>;

/**
 * SHA-256 of the part that makes a payment spendable once: the same for every encoding of it that
 * is recognised here.
 */
export function paymentId({ network, asset }: PaymentTerms, payload: Values): Buffer {
  const parts = [network, asset.toLowerCase(), ...spentOnce(payload)];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Payer and nonce, for the known forms of EVM tokens (EIP-3009, Permit2); for any other form the
 * whole payload, normalised. A payer may still encode one payment so that it has two ids: the
 * network moves money for one of them, and the transaction is compared too.
 */
function spentOnce(payload: Values): readonly string[] {
  for (const form of ['authorization', 'permit2Authorization']) {
    const signed = payload[form];
    if (typeof signed !== 'object' || signed === null) continue;
    const { from, nonce } = signed as Values;
    if (typeof from === 'string' && typeof nonce === 'string') {
      return [form, from.toLowerCase(), numberIn(nonce)];
    }
  }
  return ['payload', canonical(payload)];
}

/** 0x0A, 0x0a and 10 are one nonce. */
function numberIn(text: string): string {
  return /^(?:0x[\da-f]{1,64}|\d{1,78})$/i.test(text) ? BigInt(text).toString() : text;
}

/** JSON with the fields of objects in one order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
