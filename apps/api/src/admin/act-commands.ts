import { isId } from '@app/contracts';
import { listAdminActs } from '@app/accounts';
import type { AdminContext, Command, Input, Report } from './command.js';
import { accountOf } from './find-account.js';
import { wholeNumber } from './parse-command.js';
import { tableText } from './table-text.js';

const MAX_LISTED = 10_000;

export const ACT_COMMANDS = {
  acts: {
    args: [],
    options: ['tenant', 'limit'],
    help: 'lists operator actions, newest first (--tenant; --limit, default 50)',
    run: listActs,
  },
} as const satisfies Record<string, Command>;

async function listActs(context: AdminContext, { options }: Input): Promise<Report> {
  const bounds = { name: '--limit', min: 1, max: MAX_LISTED };
  const limit = wholeNumber(options.limit ?? '50', bounds);
  const tenantId = await tenantIdOf(context, options.tenant);
  const acts = await listAdminActs(context.database, { tenantId, limit });
  const rows = acts.map((one) => [
    one.at,
    one.actor,
    one.act,
    one.tenantId,
    JSON.stringify(one.details),
  ]);
  return { value: acts, text: tableText(['at', 'actor', 'act', 'tenant', 'details'], rows) };
}

/** The audit log keeps the ids of deleted tenants. */
async function tenantIdOf(
  { database }: AdminContext,
  text: string | undefined,
): Promise<string | null> {
  if (text === undefined) return null;
  return isId(text) ? text : (await accountOf(database, text)).id;
}
