import type { Database } from '@app/database';
import type { Mail } from '@app/providers';
import {
  issueSignInToken,
  SIGN_IN_LINK_MS,
  type IssuedLinks,
  type LinkedAccount,
} from './sign-in-links.js';

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
