import { requireSendable, type Mail, type MailSender } from './mail-sender.js';

/**
 * For a service that is alone on its machine and has no mail server: who reads its log reads the mail, and
 * that is who runs it.
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
