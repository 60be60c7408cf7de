import { ApiError } from '@app/contracts';
import type { PaymentTerms } from '@app/providers';
import { isFor, MAX_PAYMENT_CHARS, readPayment, sentPayment } from './read-payment.js';

const TERMS: PaymentTerms = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '1000',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 300,
  extra: {},
};
const GOOD = { x402Version: 2, accepted: TERMS, payload: { signature: '0x1' } };

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
const asHeader = (value: unknown): string => inBase64(JSON.stringify(value));

/** The reason of the rejection; null if the payment is readable. */
function problemOf(text: string): string | null {
  try {
    readPayment(text);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).code).toBe('payment_unreadable');
    return (error as ApiError).message;
  }
}

describe('a payment in a header', () => {
  it('is read as it was signed, with any further fields', () => {
    const payment = { ...GOOD, extensions: { a: { info: {}, schema: {} } } };
    const { accepted, payload } = payment;
    expect(readPayment(asHeader(payment))).toEqual({ payment, accepted, payload });
    const urlSafe = Buffer.from(JSON.stringify(payment)).toString('base64url');
    expect(readPayment(urlSafe)).toEqual({ payment, accepted, payload });
  });

  it.each([
    ['not base64', ''],
    ['not base64', '{}'],
    ['not base64', 'not base64!'],
    ['not base64', inBase64('nonsense')],
    ['not base64', asHeader(null)],
    ['not base64', asHeader([GOOD])],
    ['`x402Version` must be 2', asHeader({ ...GOOD, x402Version: 1 })],
    ['`x402Version` must be 2', asHeader({ ...GOOD, x402Version: '2' })],
    ['`x402Version` must be 2', asHeader({ x402Version: 1, scheme: 'exact', network: 'base' })],
    ['`accepted`', asHeader({ ...GOOD, accepted: undefined })],
    ['`accepted`', asHeader({ ...GOOD, accepted: 'exact' })],
    ['`payload`', asHeader({ ...GOOD, payload: null })],
    ['`payload`', asHeader({ ...GOOD, payload: ['0x1'] })],
    ['nested', inBase64('['.repeat(200))],
    ['longer than', 'A'.repeat(MAX_PAYMENT_CHARS + 1)],
  ])('is rejected with the text %s (%#)', (words, text) => {
    expect(problemOf(text)).toContain(words);
  });

  it('may use the header of version 1; the header of version 2 wins', () => {
    expect(sentPayment({})).toBeNull();
    expect(sentPayment({ 'x-payment': 'a' })).toEqual({ text: 'a', isOldHeader: true });
    expect(sentPayment({ 'x-payment': 'a', 'payment-signature': 'b' })).toEqual({
      text: 'b',
      isOldHeader: false,
    });
  });
});

describe('the terms a client agreed to', () => {
  it.each<[string, object, boolean]>([
    ['the same', {}, true],
    ['with more fields', { extra: { name: 'USDC' }, more: 1 }, true],
    ['with addresses in small letters', { payTo: TERMS.payTo.toLowerCase() }, true],
    ['of another amount', { amount: '999' }, false],
    ['with a number for an amount', { amount: 1_000 }, false],
    ['to another payee', { payTo: '0xb' }, false],
    ['of another token', { asset: '0xc' }, false],
    ['on another network', { network: 'eip155:1' }, false],
    ['of another scheme', { scheme: 'upto' }, false],
  ])('%s', (_name, over, isSame) => {
    expect(isFor({ ...TERMS, ...over }, TERMS)).toBe(isSame);
  });

  it('are case-sensitive unless they are hexadecimal', () => {
    const solana = { ...TERMS, payTo: 'AbCd' };
    expect(isFor({ ...solana, payTo: 'abcd' }, solana)).toBe(false);
  });
});
