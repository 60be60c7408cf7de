import type { MailSender, Mail } from '@app/providers';
import { TookTooLongError, waitAtMost, type Runtime } from '@app/runtime';
import type { Database } from '@app/database';
import {
  issueSignInLinks,
  issueSignInToken,
  SIGN_IN_LINK_MS,
  type LinkRequest,
  type IssuedLinks,
  type LinkedAccount,
} from './sign-in-links.js';

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

/** Where the links lead: a page with a button. */
export const LINK_PATH = '/dashboard/sign-in/link';

const MINUTE_MS = 60_000;
export const LINK_MINUTES = SIGN_IN_LINK_MS / MINUTE_MS;

const SUBJECT = 'Sign in to Trawl';

/**
 * The mails of one request: one for each spelling of the address among the accounts, usually one.
 * Sent to the accounts' own spelling, never to the typed one. No text in them is chosen by a
 * stranger: an account's address is not verified, and its name would read like text of the service.
 */
export function linkMails(publicUrl: string, { accounts, hasMore }: IssuedLinks): readonly Mail[] {
  const byAddress = Map.groupBy(accounts, ({ email }) => email);
  return [...byAddress].map(([to, named]) => ({
    to,
    subject: SUBJECT,
    text: textOf(publicUrl, named, hasMore),
  }));
}

function textOf(publicUrl: string, accounts: readonly LinkedAccount[], hasMore: boolean): string {
  const parts = [
    `A link to sign in to Trawl was requested for this address, most likely by you, at\n${new URL(publicUrl).origin}`,
    accounts.length === 1
      ? `Open it and press the button. It works once, for ${LINK_MINUTES} minutes.`
      : `${accounts.length} accounts have your address. Open one and press the button. Each link works once,\nfor ${LINK_MINUTES} minutes.`,
    ...accounts.map((account) => linkText(publicUrl, account)),
    ...(hasMore
      ? ['Further accounts have your address: sign in to them with a key of theirs.']
      : []),
    'If you did not request it, ignore this mail: nothing happens unless the button is pressed.\nAddresses of accounts are not verified: use no account that you do not know.\nThe link alone is enough to sign in, so do not pass it on.',
  ];
  return `${parts.join('\n\n')}\n`;
}

function linkText(publicUrl: string, account: LinkedAccount): string {
  const { tenantId, plan, createdAt, token } = account;
  const since = createdAt.toISOString().slice(0, 10);
  return `Account ${tenantId} (plan ${plan}, since ${since}):\n${linkOf(publicUrl, token)}`;
}

/** A new link for one account, for a person who can already use it. */
export async function issueSignInLink(
  database: Database,
  { tenantId, publicUrl }: { readonly tenantId: string; readonly publicUrl: string },
): Promise<string> {
  return linkOf(publicUrl, await issueSignInToken(database, tenantId));
}

function linkOf(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/(?<!\/)\/+$/, '')}${LINK_PATH}?token=${token}`;
}
