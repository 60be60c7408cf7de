import { newId } from '@app/contracts';
import { grantCreditsIn, readBalance, recordAdminAct } from '@app/store';
import { AdminProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { accountOf } from './find-account.js';
import { wholeNumber } from './parse-command.js';
import { fieldsText } from './table-text.js';
import { plainText } from './tenant-commands.js';

/** More at once is a slip of the hand. */
const MAX_GRANT = 1_000_000_000;

export const CREDIT_COMMANDS = {
  'credits grant': {
    args: ['tenant', 'amount'],
    options: ['note'],
    help: 'adds credits that do not expire (--note says why)',
    run: grantTo,
  },
} as const satisfies Record<string, Command>;

async function grantTo({ store, actor }: AdminContext, { args, options }: Input): Promise<Report> {
  const [who = '', amount = ''] = args;
  const credits = wholeNumber(amount, { name: '<amount>', min: 1, max: MAX_GRANT });
  const note = options.note === undefined ? null : plainText(options.note, 'note');
  const { id: tenantId } = await accountOf(store, who);
  const reference = newId();
  await store.transaction(async (tx) => {
    await grantCreditsIn(tx, { tenantId, credits, reference });
    const details = { credits, reference, note };
    await recordAdminAct(tx, { actor, act: 'credits.grant', tenantId, details });
  });
  const balance = await readBalance(store, tenantId);
  if (!balance) throw new AdminProblem('the tenant is gone');
  const { state, toppedUp, remaining } = balance;
  const text = fieldsText({ tenant: tenantId, granted: credits, state, toppedUp, remaining });
  return { value: { tenantId, credits, reference, balance }, text };
}
