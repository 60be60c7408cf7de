import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from './verify-webhook.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = JSON.stringify({ jobId: 'j', status: 'completed', url: 'http://a.example/ü' });
const NOW = 1_800_000_000_000;

/** Headers of the public library of Standard Webhooks. */
function signed(secret = SECRET, body = BODY, at = NOW): Record<string, string> {
  return {
    'Webhook-Id': 'm1',
    'webhook-timestamp': String(at / 1_000),
    'webhook-signature': new Webhook(secret).sign('m1', new Date(at), body),
  };
}

describe('the verification of a webhook', () => {
  const verify = (headers: Parameters<typeof verifyWebhook>[1], body: string = BODY) =>
    verifyWebhook(body, headers, SECRET, { now: NOW });

  it('accepts those of Standard Webhooks, in any form of headers and body', async () => {
    expect(await verify(signed())).toMatchObject({ jobId: 'j', status: 'completed' });
    expect(await verify(new Headers(signed()))).toMatchObject({ jobId: 'j' });
    const bytes = new TextEncoder().encode(BODY);
    expect(await verifyWebhook(bytes, signed(), SECRET, { now: NOW })).toMatchObject({
      jobId: 'j',
    });
  });

  it('accepts either signature while a secret is being replaced', async () => {
    const both = `${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`;
    expect(await verify({ ...signed(), 'webhook-signature': both })).toMatchObject({ jobId: 'j' });
  });

  it.each<[string, () => Parameters<typeof verifyWebhook>[1]]>([
    ['another secret', () => signed(OTHER)],
    ['another body', () => signed(SECRET, '{}')],
    ['another id', () => ({ ...signed(), 'Webhook-Id': 'm2' })],
    ['another time', () => ({ ...signed(), 'webhook-timestamp': '1800000001' })],
    ['no headers', () => ({})],
    ['no Base64', () => ({ ...signed(), 'webhook-signature': 'v1,*' })],
    ['an empty signature', () => ({ ...signed(), 'webhook-signature': 'v1,' })],
    ['another version', () => ({ ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1,', 'v2,') })], // prettier-ignore
    ['too many signatures', () => ({ ...signed(), 'webhook-signature': `${'v1,AA== '.repeat(10)}${signed()['webhook-signature']}` })], // prettier-ignore
  ])('refuses %s', async (_, headers) => {
    await expect(verify(headers())).rejects.toMatchObject({ code: 'webhook_signature' });
  });

  it.each([-300, 300])('accepts a clock that is %i s off, and no more', async (seconds) => {
    const edge = NOW + seconds * 1_000;
    await verify(signed(SECRET, BODY, edge));
    const beyond = edge + Math.sign(seconds) * 1_000;
    await expect(verify(signed(SECRET, BODY, beyond))).rejects.toMatchObject({
      code: 'webhook_timestamp',
    });
  });

  it.each(['', 'secret', 'whsec_', 'whsec_***'])(
    'names a secret that is none: %j',
    async (secret) => {
      await expect(verifyWebhook(BODY, signed(), secret)).rejects.toThrow('secret must be whsec_');
    },
  );
});
