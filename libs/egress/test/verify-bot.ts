import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { component, verifySignature, type SignatureMessage } from 'http-message-sig';
import { httpbis } from 'http-message-signatures';

/** A request as a site sees it. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A public key, as a JWK. */
interface PublicKey {
  readonly kid?: string;
}

const ALGORITHM = 'ed25519';
const REQUEST_PARAMETERS = ['created', 'expires', 'keyid', 'nonce', 'tag'] as const;
const DIRECTORY_PARAMETERS = ['created', 'expires', 'keyid', 'tag'] as const;

/**
 * The id of the key that signed a request, as a site would check it with the keys that it fetched: by Cloudflare's
 * http-message-sig and by http-message-signatures, which is of other authors, and by what the draft
 * (draft-ietf-webbotauth-httpsig-protocol-01, 5.2) wants to be covered.
 * @throws Error when one of them does not accept it
 */
export async function botKeyId(
  { method, url, headers }: SignedRequest,
  keys: readonly PublicKey[],
): Promise<string> {
  const [label = ''] = labelsOf(headers);
  const isString = headers['signature-agent']?.startsWith('"') === true;
  const agent = isString ? 'signature-agent' : component('signature-agent', { key: label });
  const message = { kind: 'request', method, targetUri: url, fields: fieldsOf(headers) } as const;
  const terms = { label, keys, tag: 'web-bot-auth', parameters: REQUEST_PARAMETERS };
  const keyId = await accepted(message, { ...terms, components: ['@authority', agent] });
  const isAccepted = await httpbis.verifyMessage(
    { keyLookup: lookUp(keys), requiredParams: [...REQUEST_PARAMETERS], all: true },
    { method, url, headers: { ...headers } },
  );
  if (isAccepted !== true) throw new Error('the second verifier did not accept the signature');
  return keyId;
}

/**
 * The ids of the keys of a directory, each of which must have signed it for that URL (ibid., B.1).
 * @throws Error when a verifier does not accept one, or its digest is another
 */
export async function directoryKeyIds(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<readonly string[]> {
  const digest = createHash('sha256').update(body).digest('base64');
  if (headers['content-digest'] !== `sha-256=:${digest}:`) throw new Error('another digest');
  const { keys } = JSON.parse(body) as { readonly keys: readonly PublicKey[] };
  const request = { kind: 'request', method: 'GET', targetUri: url, fields: [] } as const;
  const message = { kind: 'response', status: 200, fields: fieldsOf(headers), request } as const;
  const components = [component('@authority', { req: true }), 'content-digest'];
  const terms = { keys, components, parameters: DIRECTORY_PARAMETERS };
  const tag = 'http-message-signatures-directory';
  const ids: string[] = [];
  for (const label of labelsOf(headers)) {
    ids.push(await accepted(message, { ...terms, label, tag }));
  }
  const isAccepted = await httpbis.verifyMessage(
    { keyLookup: lookUp(keys), requiredParams: [...DIRECTORY_PARAMETERS], all: true },
    { status: 200, headers: { ...headers } },
    { method: 'GET', url, headers: {} },
  );
  if (isAccepted !== true) throw new Error('the second verifier did not accept a signature');
  if (ids.join() !== keys.map(({ kid }) => kid).join()) throw new Error('a key has no signature');
  return ids;
}

interface Terms {
  readonly label: string;
  readonly keys: readonly PublicKey[];
  readonly tag: string;
  readonly components: Parameters<typeof verifySignature>[1]['policy']['requiredComponents'];
  readonly parameters: readonly string[];
}

async function accepted(message: SignatureMessage, terms: Terms): Promise<string> {
  const { label, keys, tag, components, parameters } = terms;
  const { parameters: signed } = await verifySignature(message, {
    label,
    policy: {
      algorithms: [ALGORITHM],
      requiredComponents: components,
      requiredParameters: parameters,
      validate: ({ parameters: given }) => given.tag === tag,
    },
    resolveVerifier: ({ parameters: given }) => {
      const key = keyOf(keys, given.keyid);
      return {
        algorithm: ALGORITHM,
        verify: (data, signature) => verify(null, data, key, signature),
      };
    },
  });
  return signed.keyid ?? '';
}

function lookUp(
  keys: readonly PublicKey[],
): Parameters<typeof httpbis.verifyMessage>[0]['keyLookup'] {
  return async ({ keyid }) => ({
    ...{ id: keyid ?? '', algs: [ALGORITHM] },
    verify: async (data, signature) => verify(null, data, keyOf(keys, keyid), signature),
  });
}

function keyOf(keys: readonly PublicKey[], id: string | undefined): KeyObject {
  const key = keys.find(({ kid }) => kid === id);
  if (key === undefined) throw new Error(`no key ${id}`);
  return createPublicKey({ key: { ...key }, format: 'jwk' });
}

/** Of the members of Signature-Input, whose texts have no comma here. */
function labelsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const members = (headers['signature-input'] ?? '').split(', ');
  return members.map((member) => member.split('=', 1)[0] ?? '');
}

function fieldsOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
