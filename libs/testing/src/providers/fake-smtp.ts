import { createServer, type AddressInfo, type Socket } from 'node:net';
import { readMail, type ReadMail } from './mail-text.js';
import { SmtpSession, type HandedMail, type SmtpDesk, type SmtpMode } from './smtp-session.js';

/** A mail the fake took on. */
export interface ReceivedMail extends HandedMail, ReadMail {}

export interface FakeSmtpOptions {
  /** Offers STARTTLS with it. @default no encryption is offered */
  readonly tls?: SmtpDesk['tls'];
  /** The only sender it takes mail from. @default any */
  readonly user?: SmtpDesk['user'];
}

export interface FakeSmtp {
  readonly port: number;
  /** What a service is configured with. */
  readonly url: string;
  /** For all that comes. */
  mode: SmtpMode;
  /** Oldest first. */
  readonly mails: readonly ReceivedMail[];
  /** What clients said beside mails, oldest first. */
  readonly commands: readonly string[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Ends every connection, without a word. */
  hangUp(): void;
  close(): Promise<void>;
}

/** A mail server on a free loopback port that takes mail on, or does not. */
export async function startFakeSmtp({ tls, user }: FakeSmtpOptions = {}): Promise<FakeSmtp> {
  const state: { mode: SmtpMode; connections: number } = { mode: 'ok', connections: 0 };
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const desk: SmtpDesk = {
    tls,
    user,
    mode: () => state.mode,
    noteCommand: (line) => void commands.push(line),
    take: (mail) => void mails.push({ ...mail, ...readMail(mail.raw) }),
  };
  const server = createServer((socket) => {
    state.connections++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    new SmtpSession(socket, desk);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const credentials = user
    ? `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@`
    : '';
  return {
    port,
    url: `smtp://${credentials}127.0.0.1:${port}`,
    mails,
    commands,
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    get connections() {
      return state.connections;
    },
    hangUp,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        hangUp();
      }),
  };
}
