import { createPrivateKey } from 'node:crypto';
import { signMessage } from './message-signature.js';
import { SigningKey } from './signing-keys.js';

/** RFC 9421, B.1.4, which the vectors below use. */
const KEY = new SigningKey(
  createPrivateKey(
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n',
  ),
);
const AGENT = '"https://signature-agent.test"';

describe('the signature of a message', () => {
  it('is that of RFC 9421, B.2.6', () => {
    const components = [
      ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
      ['"@method"', 'POST'],
      ['"@path"', '/foo'],
      ['"@authority"', 'example.com'],
      ['"content-type"', 'application/json'],
      ['"content-length"', '18'],
    ] as const;
    expect(
      signMessage(KEY, components, { created: 1618884473, keyid: 'test-key-ed25519' }),
    ).toEqual({
      input:
        '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      signature:
        ':wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
    });
  });

  const LONG_VALID = {
    expires: 4889289600,
    nonce:
      'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==',
  };
  const SHORT_VALID = {
    expires: 1735693200,
    nonce:
      'e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==',
  };

  it.each([
    [
      'of a member under its label (draft-ietf-webbotauth-httpsig-protocol, E.2.1)',
      ['"signature-agent";key="sig2"', AGENT] as const,
      LONG_VALID,
      'CGokAoY/FrPpyuzTe1Fb2kLTAH9Idw6qSFd1+D77r1firsMRCxeuLu5e6O+ek3zQgDMAzjiXtLVfqE00xnABCQ==',
    ],
    [
      'of a member under another name (draft-meunier-webbotauth-httpsig-protocol-02, E.2.1)',
      ['"signature-agent";key="agent2"', AGENT] as const,
      LONG_VALID,
      'RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==',
    ],
    [
      'of one string (draft-ietf-webbotauth-httpsig-protocol, E.2.2)',
      ['"signature-agent"', AGENT] as const,
      SHORT_VALID,
      'jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==',
    ],
  ])('is that of the vector %s', (_name, agent, { expires, nonce }, signature) => {
    const created = 1735689600;
    const params = { created, keyid: KEY.id, alg: 'ed25519', expires, nonce, tag: 'web-bot-auth' };
    const signed = signMessage(KEY, [['"@authority"', 'example.com'], agent], params);
    expect(signed).toEqual({
      input: `("@authority" ${agent[0]});created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=${expires};nonce="${nonce}";tag="web-bot-auth"`,
      signature: `:${signature}:`,
    });
  });

  it('is that of the vector of a directory (draft-ietf-webbotauth-httpsig-protocol, E.2.3)', () => {
    const components = [
      ['"@authority";req', 'signature-agent.test'],
      ['"content-digest"', 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:'],
    ] as const;
    const signed = signMessage(KEY, components, {
      created: 1735689600,
      expires: 4889289600,
      keyid: KEY.id,
      tag: 'http-message-signatures-directory',
    });
    expect(signed).toEqual({
      input:
        '("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";tag="http-message-signatures-directory"',
      signature:
        ':l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:',
    });
  });
});
