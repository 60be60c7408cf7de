import { createRequire } from 'node:module';
import { MailError, requireSendable, type Mail, type MailSender } from './mail-sender.js';

export interface SmtpMailOptions {
  readonly host: string;
  readonly port: number;
  /** `required`: no mail and no login before STARTTLS. `none`: only for this machine. */
  readonly tls: 'implicit' | 'required' | 'none';
  readonly user: { readonly name: string; readonly password: string } | null;
  readonly from: { readonly name: string; readonly address: string };
  /** Of each step: DNS, connecting, the greeting, silence. @default 10_000 */
  readonly stepTimeoutMs?: number;
  /**
   * Of one mail, including the wait for a connection: a server that trickles data ends here. @default 30_000
   */
  readonly timeoutMs?: number;
  /** Trusted certificates, PEM. @default those of Node */
  readonly ca?: string;
}

export const SMTP_STEP_TIMEOUT_MS = 10_000;
export const SMTP_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 2;
const MAX_ANSWER_BYTES = 65_536;

type Nodemailer = typeof import('nodemailer');

let loaded: Nodemailer | undefined;

/** Loaded at first use: most processes send no mail. */
function nodemailer(): Nodemailer {
  loaded ??= createRequire(import.meta.url)('nodemailer') as Nodemailer;
  return loaded;
}

/** A mail server through nodemailer: one pool of connections. The package stays hidden in here. */
export class SmtpMailSender implements MailSender {
  readonly #pool: ReturnType<typeof openPool>;
  private readonly from: SmtpMailOptions['from'];
  private readonly timeoutMs: number;
  private readonly underWay = new Set<AbortController>();

  constructor(options: SmtpMailOptions) {
    this.from = options.from;
    this.timeoutMs = options.timeoutMs ?? SMTP_TIMEOUT_MS;
    this.#pool = openPool(options);
  }

  async sendMail(mail: Mail): Promise<void> {
    requireSendable(mail);
    const { to, subject, text } = mail;
    const { from } = this;
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), this.timeoutMs);
    this.underWay.add(ending);
    try {
      await this.#pool.sendMail({
        from: { ...from },
        to: { name: '', address: to },
        // Not derived from the headers: however those are parsed, the mail goes to this one address.
        envelope: { from: from.address, to: [to] },
        subject,
        text,
        textEncoding: 'quoted-printable',
        // Prevents out-of-office replies (RFC 3834, 5).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: ending.signal,
      });
    } catch (error) {
      throw toMailError(error);
    } finally {
      clearTimeout(timer);
      this.underWay.delete(ending);
    }
  }

  async close(): Promise<void> {
    for (const ending of this.underWay) ending.abort();
    this.#pool.close({ force: true });
  }
}

function openPool(options: SmtpMailOptions) {
  const { host, port, tls, user, ca, stepTimeoutMs = SMTP_STEP_TIMEOUT_MS } = options;
  return nodemailer().createTransport({
    pool: true,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    ...(user === null ? {} : { auth: { user: user.name, pass: user.password }, forceAuth: true }),
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    maxConnections: MAX_CONNECTIONS,
    maxRequeues: 1,
    maxResponseSize: MAX_ANSWER_BYTES,
    dnsTimeout: stepTimeoutMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const FIRST_PERMANENT = 500;

/** The server's text is not repeated: it may quote the recipient or the login. */
function toMailError(error: unknown): MailError {
  const { code, command, responseCode, message } = error as {
    readonly code?: unknown;
    readonly command?: unknown;
    readonly responseCode?: unknown;
    readonly message?: unknown;
  };
  if (typeof responseCode === 'number' && responseCode > 0) {
    const failure = responseCode >= FIRST_PERMANENT ? 'refused' : 'failed';
    return new MailError(
      failure,
      `the mail server responded with ${responseCode} to ${String(command)}`,
    );
  }
  const why = SAFE_TO_QUOTE.has(String(code)) ? `: ${String(message)}` : '';
  return new MailError('failed', `the mail server did not accept the mail (${String(code)})${why}`);
}

/** Errors of the connection, not of the dialogue on it. */
const SAFE_TO_QUOTE: ReadonlySet<string> = new Set([
  'EDNS',
  'ESOCKET',
  'ETLS',
  'ETIMEDOUT',
  'EABORT',
]);
