import type { MailSender } from '@app/providers';
import { TookTooLongError, waitAtMost, type Runtime } from '@app/runtime';
import { issueSignInLinks, type LinkRequest } from './sign-in-links.js';
import { linkMails } from './link-mail.js';

/** Work that goes on beside requests takes no more connections of the database than this. */
const MOST_AT_ONCE = 2;
/** More than the limits let honest users request in the time one mail takes. */
const MOST_WAITING = 200;
/** How long a process that stops waits for mails that are on their way. */
const CLOSE_MS = 5_000;

export interface LinkSenderOptions extends Pick<Runtime, 'database' | 'log' | 'publicUrl'> {
  readonly sender: MailSender;
}

/**
 * Sends links after their request was answered: the answer and its time are the same for known and
 * unknown addresses. A failed mail is logged, without the address, and not retried: the user
 * requests another.
 */
export class LinkSender {
  private readonly waiting: LinkRequest[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private isClosed = false;

  constructor(private readonly options: LinkSenderOptions) {}

  /** Returns at once. `email` is as it was typed, and of the form of one. */
  send(request: LinkRequest): void {
    if (this.isClosed || this.waiting.length >= MOST_WAITING) {
      this.options.log.warn('a link to sign in was not sent: too many wait, or the process stops');
      return;
    }
    this.waiting.push(request);
    this.next();
  }

  /** Accepts no more, and waits a while for mails in flight. */
  async close(): Promise<void> {
    this.isClosed = true;
    const { sender } = this.options;
    try {
      await waitAtMost(CLOSE_MS, this.idle());
    } catch (error) {
      if (!(error instanceof TookTooLongError)) throw error;
    } finally {
      this.waiting.length = 0;
      await sender.close();
    }
  }

  private next(): void {
    while (this.underWay.size < MOST_AT_ONCE) {
      const request = this.waiting.shift();
      if (request === undefined) return;
      const work: Promise<void> = this.sendTo(request).finally(() => {
        this.underWay.delete(work);
        this.next();
      });
      this.underWay.add(work);
    }
  }

  private async sendTo(request: LinkRequest): Promise<void> {
    const { database, sender, log, publicUrl } = this.options;
    try {
      const links = await issueSignInLinks(database, request);
      for (const mail of linkMails(publicUrl, links)) await sender.sendMail(mail);
    } catch (err) {
      log.warn({ err }, 'a link to sign in was not sent');
    }
  }

  private async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }
}
