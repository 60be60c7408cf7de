import { generateKeyPairSync } from 'node:crypto';
import { botKeyId, type SignedRequest } from '../../test/verify-bot.js';
import { BotIdentity, botIdentityOf, type BotIdentitySettings } from './bot-identity.js';
import { SigningKey } from './signing-keys.js';

const ORIGIN = 'https://bot.example';
const makeKey = (): SigningKey => new SigningKey(generateKeyPairSync('ed25519').privateKey);
const pem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe.each(['dictionary', 'string'] as const)('a request signed with a %s', (format) => {
  const [key, other] = [makeKey(), makeKey()];
  const identity = new BotIdentity(ORIGIN, [key, other], format);
  /** As it reaches a site, whose verifiers see neither a fragment nor the usual port. */
  const signed = (text: string): SignedRequest => {
    const url = new URL(text);
    const headers = identity.signRequest(url);
    return { method: 'GET', url: url.href.replace(url.hash, ''), headers };
  };

  it.each([
    'https://site.example/',
    'https://SITE.example:443/a?b=c#d',
    'http://site.example:80/',
    'http://site.example:8080/a%20b',
    'https://münchen.example/',
    'https://[2001:db8::1]:8443/',
    'http://192.0.2.1/',
  ])('is accepted by public verifiers: %s', async (url) => {
    expect(await botKeyId(signed(url), [key.jwk, other.jwk])).toBe(key.id);
  });

  it('is accepted for another path, and not for another host, port or agent', async () => {
    const { headers } = signed('https://site.example/a');
    const keys = [key.jwk];
    const at = (url: string, over = {}) =>
      botKeyId({ method: 'GET', url, headers: { ...headers, ...over } }, keys);
    expect(await at('https://site.example/b')).toBe(key.id);
    await expect(at('https://www.site.example/a')).rejects.toThrow();
    await expect(at('https://site.example:8443/a')).rejects.toThrow();
    const agent = headers['signature-agent']?.replace('bot', 'not');
    await expect(at('https://site.example/a', { 'signature-agent': agent })).rejects.toThrow();
  });

  it('is not accepted by the other key', async () => {
    const posing = { ...other.jwk, kid: key.id };
    await expect(botKeyId(signed('https://site.example/'), [posing])).rejects.toThrow();
  });
});

describe('the headers of a signed request', () => {
  const key = makeKey();
  const now = () => Date.UTC(2026, 10, 30, 5, 0, 0, 999);
  const created = Date.UTC(2026, 10, 30, 5) / 1_000;
  const url = new URL('https://site.example/');
  const params = `created=${created};keyid="${key.id}";alg="ed25519";expires=${created + 300};nonce="`;

  it('name the origin in a member under the label of the signature, as the draft wants it', () => {
    const headers = new BotIdentity(ORIGIN, [key], 'dictionary', now).signRequest(url);
    expect(headers).toEqual({
      'signature-agent': 'sig1="https://bot.example"',
      'signature-input': expect.stringContaining(
        `sig1=("@authority" "signature-agent";key="sig1");${params}`,
      ),
      signature: expect.stringMatching(/^sig1=:[\w+/]{86}==:$/),
    });
  });

  it('name it in one string where that is wanted', () => {
    const headers = new BotIdentity(ORIGIN, [key], 'string', now).signRequest(url);
    expect(headers['signature-agent']).toBe('"https://bot.example"');
    expect(headers['signature-input']).toContain(`sig1=("@authority" "signature-agent");${params}`);
  });

  it('have a nonce of 64 bytes, another one each time', () => {
    const identity = new BotIdentity(ORIGIN, [key], 'dictionary', now);
    const nonces = [1, 2].map(
      () =>
        /;nonce="([^"]+)";tag="web-bot-auth"$/.exec(
          identity.signRequest(url)['signature-input'] ?? '',
        )?.[1] ?? '',
    );
    expect(nonces.map((nonce) => Buffer.from(nonce, 'base64').length)).toEqual([64, 64]);
    expect(new Set(nonces).size).toBe(2);
  });
});

describe('an identity by its settings', () => {
  const KEYS = pem();
  const of = (over: Partial<BotIdentitySettings>) =>
    botIdentityOf({
      ...{ webBotAuthKeys: KEYS, webBotAuthUrl: ORIGIN, publicUrl: undefined },
      webBotAuthFormat: 'dictionary',
      ...over,
    });

  it('is none without a key, whatever else is set', () => {
    expect(of({ webBotAuthKeys: '', webBotAuthUrl: 'http://x/y' })).toBe(null);
  });

  it.each<[string, Partial<BotIdentitySettings>]>([
    ['WEB_BOT_AUTH_URL', {}],
    ['WEB_BOT_AUTH_URL with a slash', { webBotAuthUrl: `${ORIGIN}/` }],
    ['WEB_BOT_AUTH_URL before PUBLIC_URL', { publicUrl: 'http://10.0.0.1:3000/api' }],
    ['PUBLIC_URL', { webBotAuthUrl: undefined, publicUrl: ORIGIN }],
    ['a URL with the usual port', { webBotAuthUrl: `${ORIGIN}:443` }],
    ['a URL in capitals', { webBotAuthUrl: 'HTTPS://BOT.Example' }],
  ])('has the origin of %s', (_name, over) => {
    expect(of(over)?.origin).toBe(ORIGIN);
  });

  it.each<[string, Partial<BotIdentitySettings>, RegExp]>([
    ['no URL', { webBotAuthUrl: undefined }, /^WEB_BOT_AUTH_URL: is not set, though/],
    ['http', { webBotAuthUrl: 'http://bot.example' }, /^WEB_BOT_AUTH_URL: must be https/],
    [
      'a path',
      { webBotAuthUrl: `${ORIGIN}/api` },
      /^WEB_BOT_AUTH_URL: must be https, without a path/,
    ],
    ['a query', { webBotAuthUrl: `${ORIGIN}/?a` }, /^WEB_BOT_AUTH_URL: must be/],
    ['credentials', { webBotAuthUrl: 'https://a:b@bot.example' }, /^WEB_BOT_AUTH_URL: must be/],
    [
      'a PUBLIC_URL of http',
      { webBotAuthUrl: undefined, publicUrl: 'http://127.0.0.1:3000' },
      /^PUBLIC_URL: must be https.*set WEB_BOT_AUTH_URL/,
    ],
  ])('is refused with %s', (_name, over, problem) => {
    expect(() => of(over)).toThrow(problem);
  });

  it('signs with the first key and publishes all', () => {
    const identity = of({ webBotAuthKeys: `${KEYS}${pem()}` });
    expect(identity?.keys).toHaveLength(2);
    const input = identity?.signRequest(new URL('https://site.example/'))['signature-input'];
    expect(input).toContain(`keyid="${identity?.keys[0].id}"`);
  });
});
