import { EgressGuard, HttpClient } from '@app/egress';
import {
  signedPayment,
  startFakeFacilitator,
  startLeakCheck,
  until,
  type FakeFacilitator,
  type LeakCheck,
  type PaymentChanges,
} from '@app/testing';
import {
  FacilitatorError,
  type PaymentTerms,
  type SignedPayment,
  HttpFacilitator,
} from './http-facilitator.js';

const TOKEN = 'token-of-the-spec';
const TERMS: PaymentTerms = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '1000',
  asset: '0xa',
  payTo: '0xb',
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
};
const OFFER = {
  x402Version: 2,
  error: '',
  resource: { url: 'http://127.0.0.1/v1/scrape' },
  accepts: [TERMS],
};

describe('a facilitator over HTTP', () => {
  let leaks: LeakCheck;
  let fake: FakeFacilitator;
  let http: HttpClient;
  let facilitator: HttpFacilitator;

  beforeEach(async () => {
    leaks = startLeakCheck();
    fake = await startFakeFacilitator({ token: TOKEN, slowMs: 50 });
    open();
  });
  afterEach(async () => {
    facilitator.close();
    await http.close();
    await fake.close();
    await leaks.assertClean();
  });

  /** Waits long, so that a busy machine fails no case; those that wait for the limit shorten it. */
  function open(token = TOKEN, timeoutMs = 30_000): void {
    const guard = EgressGuard.forEndpoint(fake.url);
    http = new HttpClient({ guard, userAgent: 'spec', connectTimeoutMs: 60_000 });
    const { url } = fake;
    facilitator = new HttpFacilitator({
      ...{ http, url, token, verifyTimeoutMs: timeoutMs, settleTimeoutMs: timeoutMs },
    });
  }

  async function reopen(token: string, timeoutMs?: number): Promise<void> {
    facilitator.close();
    await http.close();
    open(token, timeoutMs);
  }

  const payment = (changes: PaymentChanges = {}): SignedPayment =>
    signedPayment(OFFER, changes) as SignedPayment;

  async function failureOf(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(FacilitatorError);
    const { failure, message } = error as FacilitatorError;
    expect(message).not.toContain(TOKEN);
    return failure;
  }

  it('reports that a payment is valid, and its payer', async () => {
    const verdict = await facilitator.verify(payment({ from: '0xpayer' }), TERMS);
    expect(verdict).toEqual({ kind: 'valid', payer: '0xpayer' });
    expect(fake.transfers).toEqual([]);
  });

  it('is given the payment as it came, and our terms', async () => {
    const sent = { ...payment(), extensions: { any: { thing: 1 } } };
    await facilitator.verify(sent, TERMS);
    expect(JSON.parse(fake.requests.at(-1)?.body ?? '')).toEqual({
      x402Version: 2,
      paymentPayload: sent,
      paymentRequirements: TERMS,
    });
  });

  it.each<[PaymentChanges, string]>([
    [{ signature: '0xbad' }, 'invalid_exact_evm_payload_signature'],
    [{ validForSeconds: -1 }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ x402Version: 1 }, 'invalid_x402_version'],
  ])('says why a payment with %j does not hold', async (changes, reason) => {
    expect(await facilitator.verify(payment(changes), TERMS)).toEqual({ kind: 'invalid', reason });
  });

  it('moves the money of a payment once', async () => {
    const one = payment({ from: '0xpayer' });
    expect(await facilitator.settle(one, TERMS)).toEqual({
      ...{ kind: 'settled', transaction: '0xtx1', payer: '0xpayer' },
    });
    expect(await facilitator.settle(one, TERMS)).toEqual({
      ...{ kind: 'failed', reason: 'invalid_transaction_state', payer: '0xpayer' },
    });
    expect(fake.transfers).toHaveLength(1);
  });

  it.each<[FakeFacilitator['verifyMode'], string]>([
    ['hang', 'unreachable'],
    ['hang_body', 'unreachable'],
    ['reset', 'unreachable'],
    ['lost', 'unreachable'],
    ['not_http', 'unreachable'],
    ['500', 'unreadable'],
    ['503', 'unreadable'],
    ['401', 'unreadable'],
    ['redirect', 'unreadable'],
    ['garbage_json', 'unreadable'],
    ['html_error', 'unreadable'],
    ['empty', 'unreadable'],
    ['truncated', 'unreadable'],
    ['huge', 'unreadable'],
    ['echo_key', 'unreadable'],
  ])('that answers %s has said nothing: %s', async (mode, failure) => {
    if (mode.startsWith('hang')) await reopen(TOKEN, 300);
    fake.verifyMode = mode;
    fake.settleMode = mode;
    expect(await failureOf(facilitator.verify(payment(), TERMS))).toBe(failure);
    expect(await failureOf(facilitator.settle(payment(), TERMS))).toBe(failure);
  });

  it('receives one request to settle, even when the connection breaks', async () => {
    // A kept connection that turns out to be dead must not cause a repetition.
    await facilitator.verify(payment(), TERMS);
    fake.settleMode = 'lost';
    await failureOf(facilitator.settle(payment(), TERMS));
    expect(fake.count('settle')).toBe(1);
    expect(fake.transfers).toHaveLength(1);
  });

  it('waits for a slow one', async () => {
    fake.verifyMode = 'slow';
    expect(await facilitator.verify(payment(), TERMS)).toMatchObject({ kind: 'valid' });
  });

  it('that refuses the token has said nothing', async () => {
    await reopen('another');
    expect(await failureOf(facilitator.verify(payment(), TERMS))).toBe('unreadable');
  });

  it('breaks off when it is closed', async () => {
    fake.verifyMode = 'hang';
    const asked = failureOf(facilitator.verify(payment(), TERMS));
    await until(() => fake.count('verify') === 1);
    facilitator.close();
    expect(await asked).toBe('unreachable');
  });
});
