import { generateKeyPairSync, createPublicKey, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { parseSigningKeys } from './signing-keys.js';

/** RFC 8037, A.1: with its thumbprint in A.3. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const THUMBPRINT = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
/** RFC 9421, B.1.4. */
const PRINTED = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
`;

const makeKey = () => generateKeyPairSync('ed25519').privateKey;
const makePem = () => makeKey().export({ type: 'pkcs8', format: 'pem' }).toString();
const makeJwk = () => makeKey().export({ format: 'jwk' });
const idsOf = (text: string) => parseSigningKeys(text).map(({ id }) => id);

const problemOf = (text: string): string => {
  try {
    parseSigningKeys(text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the keys were accepted');
};

describe('signing keys', () => {
  it('are identified by their thumbprint and published without their private half', () => {
    expect(parseSigningKeys(JSON.stringify(JWK)).map(({ jwk }) => jwk)).toEqual([
      { kty: 'OKP', crv: 'Ed25519', kid: THUMBPRINT, x: JWK.x, use: 'sig' },
    ]);
  });

  it('sign what their public half verifies', () => {
    const [key] = parseSigningKeys(JSON.stringify(JWK));
    const published = createPublicKey({ key: { ...key?.jwk }, format: 'jwk' });
    const signature = Buffer.from(key?.sign('text') ?? '', 'base64');
    expect(verify(null, Buffer.from('text'), published, signature)).toBe(true);
    expect(verify(null, Buffer.from('tex'), published, signature)).toBe(false);
  });

  it('are read in every form, in their order', () => {
    const [one, two] = [makePem(), makePem()];
    const ids = [...idsOf(one), ...idsOf(two)];
    expect(new Set(ids).size).toBe(2);
    expect(idsOf(`${one}${two}`)).toEqual(ids);
    expect(idsOf(`  ${one.trim()}\n\n${two.trim()}`)).toEqual(ids);
    expect(idsOf(one.replaceAll('\n', '\\n'))).toEqual(ids.slice(0, 1));
    expect(idsOf(one.replaceAll('\n', '\r\n'))).toEqual(ids.slice(0, 1));
    const jwk = makeJwk();
    const [id] = idsOf(JSON.stringify(jwk));
    expect(idsOf(JSON.stringify([jwk, JWK]))).toEqual([id, THUMBPRINT]);
    expect(idsOf(JSON.stringify({ keys: [JWK, jwk] }))).toEqual([THUMBPRINT, id]);
    expect(idsOf(JSON.stringify({ ...jwk, kid: 'mine', use: 'sig', alg: 'EdDSA' }))).toEqual([id]);
  });

  it('are none in an empty setting', () => {
    expect([idsOf(''), idsOf(' \n')]).toEqual([[], []]);
  });

  const pemOf = (type: 'x25519' | 'ed448'): string =>
    (type === 'ed448' ? generateKeyPairSync('ed448') : generateKeyPairSync('x25519')).privateKey
      .export({ type: 'pkcs8', format: 'pem' })
      .toString();
  const encrypted = makeKey()
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();

  it.each([
    ['a word', 'hunter2'],
    ['a public key', createPublicKey(makeKey()).export({ type: 'spki', format: 'pem' }).toString()],
    ['an encrypted key', encrypted],
    ['a key of another kind', pemOf('x25519')],
    ['a key of another curve', pemOf('ed448')],
    ['a key that is cut', makePem().replace(/.{20}\n-----END/, '\n-----END')],
    ['text beside a key', `${makePem()}hunter2`],
    ['JSON that is cut', JSON.stringify(JWK).slice(0, -2)],
    ['a public JWK', JSON.stringify({ ...JWK, d: undefined })],
    ['a JWK of another curve', JSON.stringify({ ...JWK, crv: 'X25519' })],
    ['a JWK of another kind', JSON.stringify({ ...JWK, kty: 'EC' })],
    ['a list of texts', '["hunter2"]'],
    ['keys that are no list', '{"keys":"hunter2"}'],
    ['an empty list', '[]'],
    ['an empty set', '{"keys":[]}'],
    ['null in a list', '[null]'],
  ])('are not %s', (_name, text) => {
    expect(problemOf(text)).toMatch(/^must be Ed25519 private keys, unencrypted: PEM/);
  });

  it.each(['nbf', 'exp'])('have no %s, which would not be kept', (name) => {
    expect(problemOf(JSON.stringify({ ...JWK, [name]: 1 }))).toMatch(
      /must have no key with nbf or exp/,
    );
  });

  it('have no x that is not of their d', () => {
    const { x } = makeJwk();
    expect(problemOf(JSON.stringify({ ...JWK, x }))).toMatch(/x is not the public half of its d/);
  });

  it('are eight at most, each once', () => {
    const pems = Array.from({ length: 9 }, makePem);
    expect(parseSigningKeys(pems.slice(0, 8).join(''))).toHaveLength(8);
    expect(problemOf(pems.join(''))).toBe('must have at most 8 keys');
    expect(problemOf(`${pems[0]}${pems[1]}${pems[0]}`)).toBe('must have each key once');
  });

  it('come in a text with an end', () => {
    const pem = makePem();
    expect(idsOf(pem.padEnd(32_768))).toHaveLength(1);
    expect(problemOf(pem.padEnd(32_769))).toBe('must have at most 32768 characters');
  });

  it('are not the one whose private half is printed in RFC 9421', () => {
    expect(problemOf(PRINTED)).toMatch(/must not have the example key of RFC 9421/);
    expect(problemOf(`${makePem()}${PRINTED}`)).toMatch(/example key/);
  });

  it('never show their private half', () => {
    const [key] = parseSigningKeys(JSON.stringify(JWK));
    const shown = [inspect(key, { depth: 9, showHidden: true }), JSON.stringify(key), String(key)];
    expect(shown.join()).toContain(THUMBPRINT);
    expect(shown.join()).not.toContain(JWK.d);
    const problems = [`${JWK.d}`, JSON.stringify({ ...JWK, crv: 'X' }), `{"d":"${JWK.d}"`];
    for (const text of problems) expect(problemOf(text)).not.toContain(JWK.d.slice(0, 8));
  });
});
