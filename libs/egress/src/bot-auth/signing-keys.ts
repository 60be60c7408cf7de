import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';

/** A public key as the directory lists it (RFC 8037, 2). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The same as {@link SigningKey.id}. */
  readonly kid: string;
  /** Base64url. */
  readonly x: string;
  readonly use: 'sig';
}

/** An Ed25519 key pair. Nothing of its private half can be read or printed. */
export class SigningKey {
  /** Thumbprint of the public key, SHA-256 in base64url (RFC 7638, 3.2; RFC 8037, A.3). */
  readonly id: string;
  readonly jwk: PublicJwk;
  readonly #privateKey: KeyObject;

  constructor(privateKey: KeyObject) {
    this.#privateKey = privateKey;
    const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    const required = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
    this.id = createHash('sha256').update(required).digest('base64url');
    this.jwk = { kty: 'OKP', crv: 'Ed25519', kid: this.id, x, use: 'sig' };
  }

  /** Signs a text. @returns the signature in base64 */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#privateKey).toString('base64');
  }
}

const MAX_KEYS = 8;
const MAX_CHARS = 32_768;
const PEM = /-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]*-----END PRIVATE KEY-----/g;
/** Everyone can sign with the key that RFC 9421, B.1.4 prints (draft-ietf-webbotauth-httpsig-protocol-01, 6.8). */
const PRINTED_IN_RFC = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';

/**
 * Reads private keys from a setting: PEM (PKCS #8), also with `\n` in place of line ends, one after the other; or a JWK, a
 * list of them, or a JWK Set. Empty text has none.
 * @throws Error with the rule that the text breaks. No error quotes the text.
 */
export function parseSigningKeys(text: string): readonly SigningKey[] {
  if (text.length > MAX_CHARS) throw new Error(`must have at most ${MAX_CHARS} characters`);
  const keys = (/^\s*[[{]/.test(text) ? fromJson(text) : fromPem(text)).map(
    (key) => new SigningKey(key),
  );
  if (keys.length > MAX_KEYS) throw new Error(`must have at most ${MAX_KEYS} keys`);
  const ids = new Set(keys.map(({ id }) => id));
  if (ids.size < keys.length) throw new Error('must have each key once');
  if (ids.has(PRINTED_IN_RFC)) {
    throw new Error('must not have the example key of RFC 9421, whose private half is public');
  }
  return keys;
}

function fromPem(text: string): readonly KeyObject[] {
  const lines = text.replaceAll('\\n', '\n');
  if (lines.replace(PEM, '').trim() !== '') throw unreadable();
  return (lines.match(PEM) ?? []).map((key) => ed25519(() => createPrivateKey(key)));
}

function fromJson(text: string): readonly KeyObject[] {
  const parsed = parseJson(text);
  const set = isObject(parsed) && 'keys' in parsed ? parsed['keys'] : parsed;
  const keys: readonly unknown[] = Array.isArray(set) ? set : [set];
  if (keys.length === 0) throw unreadable();
  return keys.map((key) => {
    if (!isObject(key)) throw unreadable();
    if ('nbf' in key || 'exp' in key) {
      throw new Error('must have no key with nbf or exp: keys are replaced by their order');
    }
    const { kty, crv, d, x } = key;
    const jwk = { kty, crv, d, x } as JsonWebKey;
    const privateKey = ed25519(() => createPrivateKey({ key: jwk, format: 'jwk' }));
    if (new SigningKey(privateKey).jwk.x !== x) {
      throw new Error('must have no key whose x is not the public half of its d');
    }
    return privateKey;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Its message quotes the text.
    throw unreadable();
  }
}

function ed25519(read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw unreadable();
  }
  if (key.asymmetricKeyType !== 'ed25519') throw unreadable();
  return key;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(): Error {
  return new Error(
    'must be Ed25519 private keys, unencrypted: PEM (-----BEGIN PRIVATE KEY-----) or JWK (kty OKP, crv Ed25519, d, x)',
  );
}
