import { requireSendable, type Mail, type MailSender } from './mail-sender.js';

/**
 * For a service without a mail server, alone on its machine: mail goes to the log, whose reader is the operator.
 */
export class LoggedMail implements MailSender {
  constructor(private readonly write: (mail: Mail) => void) {}

  async sendMail(mail: Mail): Promise<void> {
    requireSendable(mail);
    this.write(mail);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
