import { newId } from '@app/contracts';
import {
  grantCreditsIn,
  readBalance,
  recordAdminAct,
  type CreditBalance,
  type PoolBalance,
  CREDIT_POOLS,
  type CreditPool,
} from '@app/accounts';
import { type Database } from '@app/database';
import { AdminProblem, UsageProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { accountOf } from './find-account.js';
import { wholeNumber } from './parse-command.js';
import { fieldsText, tableText } from './table-text.js';
import { parsePlainText } from './tenant-commands.js';

/** A larger amount is a typo. */
const MAX_GRANT = 1_000_000_000;

export const CREDIT_COMMANDS = {
  'credits grant': {
    args: ['tenant', 'amount'],
    options: ['pool', 'note'],
    help: `adds credits that do not expire to a --pool (${CREDIT_POOLS.join(', ')}; default scrape); --note gives the reason`,
    run: grantTo,
  },
  'credits show': {
    args: ['tenant'],
    options: [],
    help: "shows each pool: this month's grant, top-ups, and the balance",
    run: showCredits,
  },
} as const satisfies Record<string, Command>;

async function grantTo(
  { database, actor }: AdminContext,
  { args, options }: Input,
): Promise<Report> {
  const [who = '', amount = ''] = args;
  const credits = wholeNumber(amount, { name: '<amount>', min: 1, max: MAX_GRANT });
  const pool = poolNamed(options.pool ?? 'scrape');
  const note = options.note === undefined ? null : parsePlainText(options.note, 'note');
  const { id: tenantId } = await accountOf(database, who);
  const reference = newId();
  await database.transaction(async (tx) => {
    await grantCreditsIn(tx, { tenantId, credits, reference, pool });
    const details = { credits, pool, reference, note };
    await recordAdminAct(tx, { actor, act: 'credits.grant', tenantId, details });
  });
  const balance = await balanceOf(database, tenantId);
  const { toppedUp, remaining } = poolOf(balance, pool);
  const { state } = balance;
  const fields = { tenant: tenantId, pool, granted: credits, state, toppedUp, remaining };
  return { value: { tenantId, credits, pool, reference, balance }, text: fieldsText(fields) };
}

async function showCredits({ database }: AdminContext, { args }: Input): Promise<Report> {
  const { id: tenantId } = await accountOf(database, args[0] ?? '');
  const balance = await balanceOf(database, tenantId);
  const { state, period, overage } = balance;
  const rows = CREDIT_POOLS.map((pool) => {
    const { granted, toppedUp, remaining } = poolOf(balance, pool);
    return [pool, granted, toppedUp, remaining ?? 'unlimited'];
  });
  const pools = tableText(['pool', 'granted', 'top-ups left', 'left'], rows);
  const text = `${fieldsText({ tenant: tenantId, state, period, overage })}\n\n${pools}`;
  return { value: { tenantId, balance }, text };
}

async function balanceOf(database: Database, tenantId: string): Promise<CreditBalance> {
  const balance = await readBalance(database, tenantId);
  if (!balance) throw new AdminProblem('the tenant was deleted');
  return balance;
}

function poolOf(balance: CreditBalance, pool: CreditPool): PoolBalance {
  return pool === 'scrape' ? balance : balance[pool];
}

/** @throws UsageProblem */
function poolNamed(name: string): CreditPool {
  const pool = CREDIT_POOLS.find((one) => one === name);
  if (pool) return pool;
  throw new UsageProblem(
    `no pool is named ${JSON.stringify(name)}: --pool takes ${CREDIT_POOLS.join(', ')}`,
  );
}
