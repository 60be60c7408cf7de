import { randomBytes } from 'node:crypto';
import { readSignedWebhook } from '@app/testing';
import { secretHint, secretText, webhookHeaders } from './sign-webhook.js';

/** The example of the Standard Webhooks documents. */
const VECTOR = {
  secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const message = (body: string) => ({ id: 'a-b-c', at: new Date(), body });

describe('the signature of a webhook', () => {
  it('is that of the published example', () => {
    expect(webhookHeaders(VECTOR.message, [Buffer.from(VECTOR.secret, 'base64')])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': VECTOR.signature,
    });
  });

  it.each(['{}', '{"a":"é€𝄞"}', '{"a":"b.c.d"}', '{ "a" : 1 }'])(
    'verifies by the public library: %s',
    (body) => {
      const secret = randomBytes(32);
      const headers = webhookHeaders(message(body), [secret]);
      expect(readSignedWebhook({ body, headers }, secretText(secret))).toEqual(JSON.parse(body));
    },
  );

  it('verifies by each of two secrets during a rotation, and by no third', () => {
    const [current, previous, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const body = '{"n":1}';
    const headers = webhookHeaders(message(body), [current, previous]);
    for (const secret of [current, previous])
      expect(readSignedWebhook({ body, headers }, secretText(secret))).toEqual({ n: 1 });
    expect(() => readSignedWebhook({ body, headers }, secretText(other))).toThrow();
  });

  it.each([
    ['the body', { body: '{"n":2}' }, {}],
    ['the id', {}, { 'webhook-id': 'other' }],
    ['the time', {}, { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 1) }],
  ])('covers %s', (_, over, changed) => {
    const secret = randomBytes(32);
    const body = '{"n":1}';
    const headers = { ...webhookHeaders(message(body), [secret]), ...changed };
    expect(() => readSignedWebhook({ body, headers, ...over }, secretText(secret))).toThrow();
  });

  it('is too old for a receiver after minutes', () => {
    const secret = randomBytes(32);
    const at = new Date(Date.now() - 301_000);
    const headers = webhookHeaders({ ...message('{}'), at }, [secret]);
    expect(() => readSignedWebhook({ body: '{}', headers }, secretText(secret))).toThrow(/old/);
  });
});

it('a secret is hinted at by six of its 43 characters', () => {
  const secret = Buffer.from(VECTOR.secret, 'base64');
  expect(secretText(secret)).toBe(`whsec_${VECTOR.secret}`);
  expect(secretHint(secret)).toBe('whsec_MfKQ9r');
});
