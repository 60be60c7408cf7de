import { createHash } from 'node:crypto';
import type { BotIdentity } from './bot-identity.js';
import { signMessage } from './message-signature.js';

/** Where verifiers look for the keys of an origin (draft-ietf-webbotauth-httpsig-protocol-01, 8.1). */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';

const MEDIA_TYPE = 'application/http-message-signatures-directory+json';
/** How long a removed key is accepted at most, by verifiers that keep to it. */
const FRESH_SECONDS = 3_600;
/** Caches may keep a response that is signed already; its signatures outlive that by far. */
const SIGN_AGAIN_SECONDS = 3_600;
const VALID_SECONDS = 86_400;

export interface KeyDirectoryResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The public keys of an identity as a JWK Set, signed with each of them: that proves their possession, and that the set
 * is of this origin (draft-ietf-webbotauth-httpsig-protocol-01, B.1). The authority that is signed is that of the
 * identity, never one that a request names.
 */
export class KeyDirectory {
  private signed: { readonly at: number; readonly response: KeyDirectoryResponse } | null = null;

  constructor(
    private readonly identity: Pick<BotIdentity, 'origin' | 'keys'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The same for everyone for an hour: whoever requests it often costs no signatures. */
  response(): KeyDirectoryResponse {
    const at = Math.floor(this.now() / 1_000);
    const ageSeconds = at - (this.signed?.at ?? -Infinity);
    // A clock that was set back must not leave signatures of the future.
    if (this.signed === null || ageSeconds < 0 || ageSeconds >= SIGN_AGAIN_SECONDS) {
      this.signed = { at, response: this.sign(at) };
    }
    return this.signed.response;
  }

  private sign(created: number): KeyDirectoryResponse {
    const { keys, origin } = this.identity;
    const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const components = [
      ['"@authority";req', new URL(origin).host],
      ['"content-digest"', digest],
    ] as const;
    const signatures = keys.map((key) =>
      signMessage(key, components, {
        created,
        expires: created + VALID_SECONDS,
        keyid: key.id,
        tag: 'http-message-signatures-directory',
      }),
    );
    const labelled = (name: 'input' | 'signature'): string =>
      signatures.map((one, at) => `key${at + 1}=${one[name]}`).join(', ');
    return {
      headers: {
        'content-type': MEDIA_TYPE,
        'content-digest': digest,
        'signature-input': labelled('input'),
        signature: labelled('signature'),
        // The digest is of these bytes (RFC 9530, 2): a coding would need another one.
        'cache-control': `public, max-age=${FRESH_SECONDS}, no-transform`,
      },
      body,
    };
  }
}
