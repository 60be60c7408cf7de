import { isIP } from 'node:net';

/** The server that takes on our mail, and how the way there is protected. */
export interface SmtpServer {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /**
   * `implicit`: from the first byte (RFC 8314, 3.3). `required`: by STARTTLS, or nothing is sent.
   * `none`: the server is on this very machine.
   */
  readonly tls: 'implicit' | 'required' | 'none';
  /** Null: the server needs no login. */
  readonly user: { readonly name: string; readonly password: string } | null;
}

/** Who mail is from. */
export interface MailFrom {
  /** '' when only the address is shown. */
  readonly name: string;
  readonly address: string;
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;
const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;
const CONTROL = /[\u0000-\u001f\u007f]/;
const SMTP_RULE =
  'must be smtp://[user:password@]host[:port] or smtps://…, special characters of user and password percent-encoded';
const FROM_RULE = 'must be an e-mail address, or a name with it in angle brackets';

/** SMTP_URL as text. @throws Error with the rule, which does not repeat the text */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSmtp = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  const isBare = url?.search === '' && url.hash === '' && /^\/?$/.test(url.pathname);
  if (url === null || !isSmtp || !isBare) throw new Error(SMTP_RULE);
  const host = hostOf(url);
  const isImplicit = url.protocol === 'smtps:';
  const port =
    url.port === '' ? (isImplicit ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(url.port);
  if (port === 0) throw new Error(SMTP_RULE);
  const tls = isImplicit ? 'implicit' : isLoopback(host) ? 'none' : 'required';
  return { host, port, tls, user: userOf(url) };
}

/**
 * `localhost` is resolved here: a name server must not decide which machine this is (RFC 6761,
 * 6.3).
 */
function hostOf({ hostname }: URL): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (host.toLowerCase() === 'localhost') return '127.0.0.1';
  if (isIP(host) === 0 && !HOST_NAME.test(host)) throw new Error(SMTP_RULE);
  return host;
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function userOf({ username, password }: URL): SmtpServer['user'] {
  if (username === '' && password === '') return null;
  const user = { name: decoded(username), password: decoded(password) };
  if (user.name === '' || user.password === '') throw new Error(SMTP_RULE);
  return user;
}

function decoded(text: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // A percent sign that starts no escape; quoting it would repeat the secret.
    throw new Error(SMTP_RULE);
  }
  if (CONTROL.test(plain)) throw new Error(SMTP_RULE);
  return plain;
}

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;
/** A name may hold any letters, and nothing that mail reads as more than a name. */
const NAME = /^[^\u0000-\u001f\u007f-\u009f<>"\\@,;:()[\]]{1,100}$/;

/** MAIL_FROM as text: `sign-in@example.com` or `Trawl <sign-in@example.com>`. @throws Error with the rule */
export function parseMailFrom(text: string): MailFrom {
  const [, name = '', inBrackets] = /^([^<]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const from = { name: name.trim(), address: inBrackets ?? text.trim() };
  const isNamed = from.name === '' || NAME.test(from.name);
  if (!ADDRESS.test(from.address) || !isNamed) throw new Error(FROM_RULE);
  return from;
}
