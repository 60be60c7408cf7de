/** A plain text mail. */
export interface Mail {
  /** A single ASCII address without a name; anything else is refused. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** Sends mail, one at a time to one recipient. */
export interface MailSender {
  /** Resolves when a server accepted the mail; whether it arrives is unknown. @throws MailError */
  sendMail(mail: Mail): Promise<void>;
  /** Aborts running deliveries, and closes the connections. */
  close(): Promise<void>;
}

/**
 * `malformed`: not a valid mail, nothing was sent. `refused`: the server will never accept it. `failed`: a
 * temporary failure, or no response; whether the mail was accepted is then unknown.
 */
export type MailFailure = 'malformed' | 'refused' | 'failed';

/** A mail that was not sent. The message is for logs: it contains neither a password nor the recipient. */
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
/**
 * Only characters of an address that no mail program takes for a second one, a name, a comment or an option.
 */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/**
 * Refuses anything that could be more than one header or address, before any encoder sees it: encoders are only
 * the second defence. @throws MailError
 */
export function requireSendable({ to, subject }: Mail): void {
  if (!ADDRESS.test(to))
    throw new MailError('malformed', 'the recipient is not a single plain address');
  if (CONTROL.test(subject))
    throw new MailError('malformed', 'the subject holds control characters');
}
