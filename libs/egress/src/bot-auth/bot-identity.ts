import { randomBytes } from 'node:crypto';
import { signMessage, type CoveredComponent } from './message-signature.js';
import { parseSigningKeys, type SigningKey } from './signing-keys.js';

/** The settings of Web Bot Auth, as they are written. */
export interface BotIdentitySettings {
  readonly webBotAuthKeys: string;
  readonly webBotAuthUrl: string | undefined;
  /** Stands in for `webBotAuthUrl`. */
  readonly publicUrl: string | undefined;
  readonly webBotAuthFormat: SignatureAgentFormat;
}

/** How `Signature-Agent` is written: since draft-meunier-web-bot-auth-architecture-04, or before it. */
export type SignatureAgentFormat = 'dictionary' | 'string';

/** Headers that sign a request for this URL, names in lower case. */
export type SignRequest = (url: URL) => Readonly<Record<string, string>>;

/** Only the service itself sends them where it signs its requests. In lower case. */
export const SIGNATURE_HEADERS: ReadonlySet<string> = new Set([
  'signature',
  'signature-agent',
  'signature-input',
]);

/** A signature is valid for so long: enough for clocks that differ, and little for one who copies it. */
const VALID_SECONDS = 300;
const NONCE_BYTES = 64;
const LABEL = 'sig1';

/** By whom our requests say they are sent, and how sites can check it: Web Bot Auth. */
export class BotIdentity {
  /** @param origin under which sites fetch the public keys: https, without a slash at its end */
  constructor(
    readonly origin: string,
    /** The first signs, all are published. */
    readonly keys: readonly [SigningKey, ...SigningKey[]],
    private readonly format: SignatureAgentFormat,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Signs a request by its authority (draft-ietf-webbotauth-httpsig-protocol-01, 5.2), so another host needs another
   * signature. Takes 60 µs.
   */
  readonly signRequest: SignRequest = (url) => {
    const [key] = this.keys;
    const created = Math.floor(this.now() / 1_000);
    const agent = this.signatureAgent();
    const { input, signature } = signMessage(key, [['"@authority"', url.host], agent.component], {
      created,
      keyid: key.id,
      alg: 'ed25519',
      expires: created + VALID_SECONDS,
      nonce: randomBytes(NONCE_BYTES).toString('base64'),
      tag: 'web-bot-auth',
    });
    return {
      'signature-agent': agent.header,
      'signature-input': `${LABEL}=${input}`,
      signature: `${LABEL}=${signature}`,
    };
  };

  /** RFC 9421, 2.1.2: a member of a dictionary is covered by its key, which the draft wants to be the label. */
  private signatureAgent(): { readonly header: string; readonly component: CoveredComponent } {
    const value = `"${this.origin}"`;
    if (this.format === 'string') return { header: value, component: ['"signature-agent"', value] };
    const component = [`"signature-agent";key="${LABEL}"`, value] as const;
    return { header: `${LABEL}=${value}`, component };
  }
}

/**
 * Null: no key is set, so nothing is signed.
 * @throws Error that names the setting, and never a key
 */
export function botIdentityOf(settings: BotIdentitySettings): BotIdentity | null {
  const [first, ...others] = parseSigningKeys(settings.webBotAuthKeys);
  if (first === undefined) return null;
  const { webBotAuthUrl, publicUrl, webBotAuthFormat } = settings;
  return new BotIdentity(
    originOf(
      webBotAuthUrl ?? publicUrl,
      webBotAuthUrl === undefined ? 'PUBLIC_URL' : 'WEB_BOT_AUTH_URL',
    ),
    [first, ...others],
    webBotAuthFormat,
  );
}

function originOf(text: string | undefined, name: string): string {
  const fix =
    'Sites fetch the public keys from there: set WEB_BOT_AUTH_URL to an address like https://bot.example.com';
  if (text === undefined) {
    throw new Error(`WEB_BOT_AUTH_URL: is not set, though WEB_BOT_AUTH_KEYS is. ${fix}`);
  }
  const { protocol, origin, href } = new URL(text);
  if (protocol === 'https:' && href === `${origin}/`) return origin;
  throw new Error(
    `${name}: must be https, without a path or a query, as WEB_BOT_AUTH_KEYS is set. ${fix}`,
  );
}
