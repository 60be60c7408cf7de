/** One mail of plain text. */
export interface Mail {
  /** One address in ASCII, without a name; anything else is refused. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** Sends mail, one at a time to one person. */
export interface MailSender {
  /** Resolves when somebody took the mail on; whether it arrives is not known. @throws MailError */
  sendMail(mail: Mail): Promise<void>;
  /** Breaks off what is under way, and ends the connections. */
  close(): Promise<void>;
}

/**
 * `malformed`: no mail at all, nobody was asked. `refused`: the server will not take it however often it
 * is asked. `failed`: not now, or no answer; whether it was taken is then unknown.
 */
export type MailFailure = 'malformed' | 'refused' | 'failed';

/** A mail that was not sent. The message is for logs: it holds neither a password nor whom it was for. */
export class MailError extends Error {
  override readonly name = 'MailError';

  constructor(
    readonly failure: MailFailure,
    message: string,
  ) {
    super(message);
  }
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/** Of an address only what no mail program reads as a second one, a name, a comment or an option. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/**
 * Refuses what could be more than one header or more than one address, before any encoder sees it: that
 * those are careful, too, is then the second lock. @throws MailError
 */
export function requireSendable({ to, subject }: Mail): void {
  if (!ADDRESS.test(to)) throw new MailError('malformed', 'the address is not one plain address');
  if (CONTROL.test(subject))
    throw new MailError('malformed', 'the subject holds control characters');
}
