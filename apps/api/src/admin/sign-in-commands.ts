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
    help: "ends all sessions of a tenant's account page, and its mailed sign-in links",
    run: endSessionsOf,
  },
  'email set': {
    args: ['tenant', 'address'],
    options: [],
    help: `sets the address that sign-in links of a tenant are mailed to (or ${NOBODY})`,
    run: setEmailOf,
  },
} as const satisfies Record<string, Command>;

async function endSessionsOf({ database, actor }: AdminContext, { args }: Input): Promise<Report> {
  const { id: tenantId } = await accountOf(database, args[0] ?? '');
  const ended = await database.transaction(async (tx) => {
    const sessions = await endSessions(tx, tenantId);
    await dropSignInLinks(tx, tenantId);
    await recordAdminAct(tx, { actor, act: 'session.end', tenantId, details: { sessions } });
    return sessions;
  });
  return { value: { tenantId, ended }, text: fieldsText({ tenant: tenantId, ended }) };
}

async function setEmailOf({ database, actor }: AdminContext, { args }: Input): Promise<Report> {
  const [who = '', address = ''] = args;
  if (address !== NOBODY && !isEmail(address)) {
    throw new UsageProblem('<address> is not an e-mail address');
  }
  const email = address === NOBODY ? null : address;
  const { id: tenantId } = await accountOf(database, who);
  await database.transaction(async (tx) => {
    await setSignInAddress(tx, tenantId, email);
    // Without the address: the audit log is never erased, and a person's address may have to be.
    const details = { isSet: email !== null };
    await recordAdminAct(tx, { actor, act: 'email.set', tenantId, details });
  });
  return { value: { tenantId, email }, text: fieldsText({ tenant: tenantId, email }) };
}
