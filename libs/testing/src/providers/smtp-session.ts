import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/**
 * How a mail server goes wrong. `silent`: it never greets. `busy`: 421 instead of a greeting.
 * `unknown`: 550 to the recipient. `refused`: 554 to the mail. `full`: 452 to the mail. `lost`: the
 * connection ends in place of the answer to it. `hang`: no answer to it. `trickle`: an answer to it
 * that never ends.
 */
export const SMTP_MODES = [
  'ok',
  'silent',
  'busy',
  'unknown',
  'refused',
  'full',
  'lost',
  'hang',
  'trickle',
] as const;
export type SmtpMode = (typeof SMTP_MODES)[number];

/** A mail that a client delivered. */
export interface HandedMail {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as sent, latin1. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  /** The signed-in user; null: none. */
  readonly user: string | null;
}

export interface SmtpDesk {
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
  readonly user: { readonly name: string; readonly password: string } | undefined;
  mode(): SmtpMode;
  /** Each line a client sent that was no part of a mail. */
  noteCommand(line: string): void;
  take(mail: HandedMail): void;
}

const TRICKLE_MS = 20;

/** One client of the fake server (RFC 5321, 4.1; RFC 3207; RFC 4954), line by line. */
export class SmtpSession {
  private socket: Socket;
  private rest = '';
  private data: string[] | null = null;
  private from = '';
  private to: string[] = [];
  private signedIn: string | null = null;
  private isEncrypted = false;

  constructor(
    socket: Socket,
    private readonly desk: SmtpDesk,
  ) {
    this.socket = socket;
    this.listen();
    const mode = desk.mode();
    if (mode === 'busy') this.end('421 fake.example is busy');
    else if (mode !== 'silent') this.say('220 fake.example ESMTP');
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => this.read(chunk.toString('latin1')));
    // A client that breaks off is part of the play.
    this.socket.on('error', () => {});
  }

  private read(chunk: string): void {
    this.rest += chunk;
    for (let end = this.rest.indexOf('\r\n'); end >= 0; end = this.rest.indexOf('\r\n')) {
      const line = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + 2);
      if (this.data === null) this.answer(line);
      else this.addLine(this.data, line);
    }
  }

  private answer(line: string): void {
    this.desk.noteCommand(line);
    const [verb = ''] = line.split(' ', 1);
    switch (verb.toUpperCase()) {
      case 'EHLO':
        return this.sayExtensions();
      case 'STARTTLS':
        return this.encrypt();
      case 'AUTH':
        return this.signIn(line);
      case 'MAIL':
        return this.begin(line);
      case 'RCPT':
        return this.addRecipient(line);
      case 'DATA':
        this.data = [];
        return this.say('354 go on');
      case 'RSET':
        this.to = [];
        return this.say('250 forgotten');
      case 'NOOP':
        return this.say('250 still here');
      case 'QUIT':
        return this.end('221 bye');
      default:
        return this.say('502 not known here');
    }
  }

  private sayExtensions(): void {
    const { tls, user } = this.desk;
    const extensions = [
      ...(tls && !this.isEncrypted ? ['STARTTLS'] : []),
      ...(user ? ['AUTH PLAIN'] : []),
    ];
    const lines = ['fake.example', ...extensions];
    this.say(
      lines.map((line, n) => `250${n === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n'),
    );
  }

  private encrypt(): void {
    const { tls } = this.desk;
    if (!tls || this.isEncrypted) return this.say('502 not known here');
    this.say('220 go on');
    const plain = this.socket;
    plain.removeAllListeners('data');
    this.socket = new TLSSocket(plain, { isServer: true, secureContext: createSecureContext(tls) });
    this.isEncrypted = true;
    this.listen();
  }

  private signIn(line: string): void {
    const [, given = ''] = /^AUTH PLAIN (\S+)$/i.exec(line) ?? [];
    const { user } = this.desk;
    const expected = Buffer.from(`\0${user?.name}\0${user?.password}`).toString('base64');
    if (!user || given !== expected) return this.say(`535 no ${given}`);
    this.signedIn = user.name;
    this.say('235 welcome');
  }

  private begin(line: string): void {
    if (this.desk.user && this.signedIn === null) return this.say('530 sign in first');
    this.from = /<([^<>]*)>/.exec(line)?.[1] ?? '';
    this.to = [];
    this.say('250 ok');
  }

  private addRecipient(line: string): void {
    const to = /<([^<>]*)>/.exec(line)?.[1] ?? '';
    if (this.desk.mode() === 'unknown') return this.say(`550 no such user <${to}>`);
    this.to.push(to);
    this.say('250 ok');
  }

  private addLine(lines: string[], line: string): void {
    // A line of a dot ends it; of those that begin with one, it was doubled (RFC 5321, 4.5.2).
    if (line !== '.') return void lines.push(line.replace(/^\./, ''));
    this.data = null;
    this.finish(`${lines.join('\r\n')}\r\n`);
  }

  private finish(raw: string): void {
    const mode = this.desk.mode();
    switch (mode) {
      case 'refused':
        return this.say(`554 not taken for ${this.to.join()}`);
      case 'full':
        return this.say('452 no room');
      case 'lost':
        return void this.socket.destroy();
      case 'hang':
        return;
      case 'trickle':
        return this.trickle();
      case 'ok':
      case 'silent':
      case 'busy':
      case 'unknown': {
        const { from, to, isEncrypted, signedIn: user } = this;
        this.desk.take({ from, to, raw, isEncrypted, user });
        return this.say('250 taken');
      }
    }
  }

  private trickle(): void {
    const timer = setInterval(() => this.say('250-and'), TRICKLE_MS);
    this.socket.once('close', () => clearInterval(timer));
  }

  private say(text: string): void {
    if (this.socket.writable) this.socket.write(`${text}\r\n`);
  }

  private end(text: string): void {
    this.socket.end(`${text}\r\n`);
  }
}
