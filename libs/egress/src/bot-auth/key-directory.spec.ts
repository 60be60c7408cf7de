import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { directoryKeyIds } from '../../test/verify-bot.js';
import { KeyDirectory } from './key-directory.js';
import { SigningKey } from './signing-keys.js';

const ORIGIN = 'https://bot.example';
const HOUR_MS = 3_600_000;

const makeKey = (): SigningKey => new SigningKey(generateKeyPairSync('ed25519').privateKey);

describe('the directory of keys', () => {
  it('is the document of the vector (draft-ietf-webbotauth-httpsig-protocol, E.2.3)', () => {
    const key = new SigningKey(
      createPrivateKey(
        '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n',
      ),
    );
    const directory = new KeyDirectory({ origin: 'https://signature-agent.test', keys: [key] });
    const { headers, body } = directory.response();
    expect(body).toBe(
      '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","use":"sig"}]}',
    );
    expect(headers['content-digest']).toBe(
      'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:',
    );
  });

  it('has one signature for each key, which public verifiers accept for its origin alone', async () => {
    const keys = [makeKey(), makeKey()] as const;
    const answer = new KeyDirectory({ origin: ORIGIN, keys }).response();
    const [one, two] = keys;
    expect(await directoryKeyIds(`${ORIGIN}/`, answer)).toEqual([one.id, two.id]);
    await expect(directoryKeyIds('https://other.example/', answer)).rejects.toThrow(/signature/i);
    const swapped = { ...answer, body: answer.body.replace(one.id, two.id) };
    await expect(directoryKeyIds(`${ORIGIN}/`, swapped)).rejects.toThrow(/digest/);
  });

  it('signs the authority with the port that is not the usual one', async () => {
    const keys = [makeKey()] as const;
    const answer = new KeyDirectory({ origin: `${ORIGIN}:8443`, keys }).response();
    expect(await directoryKeyIds(`${ORIGIN}:8443/`, answer)).toEqual([keys[0].id]);
    await expect(directoryKeyIds(`${ORIGIN}/`, answer)).rejects.toThrow(/signature/i);
  });

  it('may be kept for an hour as it is, and names its type without parameters', () => {
    const { headers, body } = new KeyDirectory({ origin: ORIGIN, keys: [makeKey()] }).response();
    const digest = createHash('sha256').update(body).digest('base64');
    expect(headers).toEqual({
      'content-type': 'application/http-message-signatures-directory+json',
      'content-digest': `sha-256=:${digest}:`,
      'signature-input': expect.stringMatching(
        /^key1=\("@authority";req "content-digest"\);created=/,
      ),
      signature: expect.stringMatching(/^key1=:[\w+/]{86}==:$/),
      'cache-control': 'public, max-age=3600, no-transform',
    });
  });

  it('is signed anew after an hour, or when the clock was set back, and valid for a day', () => {
    let now = Date.UTC(2026, 10, 30);
    const directory = new KeyDirectory({ origin: ORIGIN, keys: [makeKey()] }, () => now);
    const first = directory.response();
    const at = now / 1_000;
    expect(first.headers['signature-input']).toContain(`;created=${at};expires=${at + 86_400};`);
    now += HOUR_MS - 1;
    expect(directory.response()).toBe(first);
    now += 1;
    const second = directory.response();
    expect(second.headers['signature-input']).toContain(`;created=${at + 3_600};`);
    now -= 1;
    const third = directory.response();
    expect(third.headers['signature-input']).toContain(`;created=${at + 3_599};`);
    expect(third.body).toBe(first.body);
  });
});
