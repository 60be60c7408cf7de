import type { PaymentTerms } from '@app/providers';
import { paymentId } from './payment-id.js';

const TERMS: PaymentTerms = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '1000',
  asset: '0xA',
  payTo: '0xb',
  maxTimeoutSeconds: 300,
  extra: {},
};

const authorization = { from: '0xAbC', to: '0xb', value: '1000', nonce: '0x0A' };
const idOf = (
  payload: Readonly<Record<string, unknown>>,
  over: Partial<PaymentTerms> = {},
): string => paymentId({ ...TERMS, ...over }, payload).toString('hex');
const signed = (over: object = {}) => idOf({ authorization: { ...authorization, ...over } });

describe('the id of a payment', () => {
  it('is 32 bytes', () => {
    expect(signed()).toMatch(/^[\da-f]{64}$/);
  });

  it.each<[string, object]>([
    ['the case of its payer', { from: '0xaBc' }],
    ['the spelling of its nonce', { nonce: '10' }],
    ['zeros before its nonce', { nonce: '0x000a' }],
    ['other signed fields', { value: '1', validBefore: '5' }],
  ])('does not hang on %s', (_name, over) => {
    expect(signed(over)).toBe(signed());
  });

  it('does not hang on the signature, which may be written in several ways', () => {
    expect(idOf({ authorization, signature: '0x1' })).toBe(
      idOf({ signature: '0x2', authorization }),
    );
  });

  it.each<[string, object]>([
    ['nonces', { nonce: '0x0b' }],
    ['payers', { from: '0xabd' }],
  ])('is another for other %s', (_name, over) => {
    expect(signed(over)).not.toBe(signed());
  });

  it('is another on another network, with another token, and by another form', () => {
    const payload = { authorization };
    const permit = { permit2Authorization: authorization };
    const ids = [
      idOf(payload),
      idOf(payload, { network: 'eip155:1' }),
      idOf(payload, { asset: '0xF' }),
      idOf(permit),
    ];
    expect(new Set(ids).size).toBe(4);
  });

  it('of another form is the hash of its whole payload, in any order of fields', () => {
    const one = idOf({ transaction: 'AQ==', more: { a: [1, null], b: 'x' } });
    expect(idOf({ more: { b: 'x', a: [1, null] }, transaction: 'AQ==' })).toBe(one);
    expect(idOf({ transaction: 'AQ==', more: { a: [1], b: 'x' } })).not.toBe(one);
  });

  it.each([{ authorization: null }, { authorization: 'x' }, { authorization: { nonce: 5 } }, {}])(
    'can be made of %j',
    (payload) => {
      expect(idOf(payload)).toMatch(/^[\da-f]{64}$/);
    },
  );
});
