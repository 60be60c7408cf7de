import type { Mail } from '@app/providers';
import { SIGN_IN_LINK_MS, type IssuedLinks, type LinkedAccount } from './sign-in-links.js';

/** Where the links lead: a page with a button. */
export const LINK_PATH = '/dashboard/sign-in/link';

const MINUTE_MS = 60_000;
export const LINK_MINUTES = SIGN_IN_LINK_MS / MINUTE_MS;

const SUBJECT = 'Sign in to Trawl';

/**
 * The mails of one ask: one for each spelling that accounts have the address in, usually one. Sent to what
 * the accounts have, never to what was typed. Nothing in them was chosen by a stranger: anybody can make an
 * account with somebody else's address, and its name would be read as ours.
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
    `Somebody, most likely you, asked for a link to sign in to Trawl at\n${new URL(publicUrl).origin}`,
    accounts.length === 1
      ? `Open it and press the button. It works once, for ${LINK_MINUTES} minutes.`
      : `${accounts.length} accounts have your address. Open one and press the button. Each link works once,\nfor ${LINK_MINUTES} minutes.`,
    ...accounts.map((account) => linkText(publicUrl, account)),
    ...(hasMore
      ? ['Further accounts have your address: sign in to them with a key of theirs.']
      : []),
    'If you did not ask for it, ignore this mail: nothing happens unless the button is pressed.\nAnybody can make an account with an address that is not theirs: use none that you do not know.\nWhoever has a link can sign in with it, so do not pass it on.',
  ];
  return `${parts.join('\n\n')}\n`;
}

function linkText(publicUrl: string, account: LinkedAccount): string {
  const { tenantId, plan, createdAt, token } = account;
  const since = createdAt.toISOString().slice(0, 10);
  return `Account ${tenantId} (plan ${plan}, since ${since}):\n${linkOf(publicUrl, token)}`;
}

function linkOf(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/(?<!\/)\/+$/, '')}${LINK_PATH}?token=${token}`;
}
