import {
  dropSignInLinks,
  endSessions,
  recordAdminAct,
  setSignInAddress,
  isEmail,
} from '@app/accounts';
import { UsageProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { accountOf } from './find-account.js';
import { fieldsText } from './table-text.js';

const NOBODY = 'none';

export const SIGN_IN_COMMANDS = {
  'session end': {
    args: ['tenant'],
    options: [],
    help: 'signs everybody out of the account page of a tenant, and ends links that were mailed',
    run: endSessionsOf,
  },
  'email set': {
    args: ['tenant', 'address'],
    options: [],
    help: `whom links to sign in to a tenant are mailed to (an address, or ${NOBODY})`,
    run: setEmailOf,
  },
} as const satisfies Record<string, Command>;

async function endSessionsOf({ store, actor }: AdminContext, { args }: Input): Promise<Report> {
  const { id: tenantId } = await accountOf(store, args[0] ?? '');
  const ended = await store.transaction(async (tx) => {
    const sessions = await endSessions(tx, tenantId);
    await dropSignInLinks(tx, tenantId);
    await recordAdminAct(tx, { actor, act: 'session.end', tenantId, details: { sessions } });
    return sessions;
  });
  return { value: { tenantId, ended }, text: fieldsText({ tenant: tenantId, ended }) };
}

async function setEmailOf({ store, actor }: AdminContext, { args }: Input): Promise<Report> {
  const [who = '', address = ''] = args;
  if (address !== NOBODY && !isEmail(address)) {
    throw new UsageProblem('<address> is no e-mail address');
  }
  const email = address === NOBODY ? null : address;
  const { id: tenantId } = await accountOf(store, who);
  await store.transaction(async (tx) => {
    await setSignInAddress(tx, tenantId, email);
    // Not the address itself: the log of acts is never erased, and a person's address may have to be.
    const details = { isSet: email !== null };
    await recordAdminAct(tx, { actor, act: 'email.set', tenantId, details });
  });
  return { value: { tenantId, email }, text: fieldsText({ tenant: tenantId, email }) };
}
