import { newId, planNamed, PLANS, type Plan } from '@app/contracts';
import {
  addTenant,
  changeAgreement,
  findTenant,
  listApiKeys,
  listTenants,
  recordAdminAct,
  setPlanIn,
  type Agreed,
  type TenantRecord,
  isEmail,
} from '@app/accounts';
import { UsageProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { accountOf } from './find-account.js';
import { wholeNumber, type OptionName } from './parse-command.js';
import { fieldsText, tableText } from './table-text.js';

const MAX_LISTED = 10_000;
const MAX_INT = 2_147_483_647;
const MAX_TEXT_CHARS = 254;

export const TENANT_COMMANDS = {
  'tenant create': {
    args: ['name'],
    options: ['plan', 'email'],
    help: `creates a tenant (--plan ${PLANS.join('|')}, default free; --email)`,
    run: createAccount,
  },
  'tenant list': {
    args: [],
    options: ['limit'],
    help: 'lists the newest tenants (--limit, default 100)',
    run: listAccounts,
  },
  'tenant show': {
    args: ['tenant'],
    options: [],
    help: 'shows one tenant, by id or by a unique name, and its active keys',
    run: showAccount,
  },
  'plan set': {
    args: ['tenant', 'plan'],
    options: [],
    help: 'puts a tenant on a plan, by its public or legacy name, as if it were paid',
    run: setPlanOf,
  },
  'agreement set': {
    args: ['tenant'],
    options: ['monthly-credits', 'requests-per-minute', 'concurrent-requests'],
    help: "sets figures that replace the plan's: --monthly-credits, --requests-per-minute, --concurrent-requests (a number, or none)",
    run: setAgreementOf,
  },
} as const satisfies Record<string, Command>;

async function createAccount(
  { database, actor }: AdminContext,
  { args, options }: Input,
): Promise<Report> {
  const name = parsePlainText(args[0] ?? '', 'name');
  const email = emailOf(options.email);
  const tenant = { id: newId(), name, plan: planOf(options.plan ?? 'free'), email };
  await database.transaction(async (tx) => {
    await addTenant(tx, tenant);
    const details = { name, plan: tenant.plan, email };
    await recordAdminAct(tx, { actor, act: 'tenant.create', tenantId: tenant.id, details });
  });
  return { value: tenant, text: fieldsText(tenant) };
}

async function listAccounts({ database }: AdminContext, { options }: Input): Promise<Report> {
  const bounds = { name: '--limit', min: 1, max: MAX_LISTED };
  const tenants = await listTenants(database, wholeNumber(options.limit ?? '100', bounds));
  const rows = tenants.map(({ id, name, plan, email, createdAt }) => [
    id,
    name,
    plan,
    email,
    createdAt,
  ]);
  return { value: tenants, text: tableText(['id', 'name', 'plan', 'email', 'created'], rows) };
}

async function showAccount({ database }: AdminContext, { args }: Input): Promise<Report> {
  const tenant = await accountOf(database, args[0] ?? '');
  const now = new Date();
  const keys = (await listApiKeys(database, tenant.id)).filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
  );
  return {
    value: { ...tenant, activeKeys: keys.length },
    text: `${accountText(tenant)}\nactive keys  ${keys.length}`,
  };
}

async function setPlanOf({ database, actor }: AdminContext, { args }: Input): Promise<Report> {
  const plan = planOf(args[1] ?? '');
  const before = await accountOf(database, args[0] ?? '');
  await database.transaction(async (tx) => {
    await setPlanIn(tx, { tenantId: before.id, plan });
    const details = { from: before.plan, to: plan };
    await recordAdminAct(tx, { actor, act: 'plan.set', tenantId: before.id, details });
  });
  return accountReport({ ...before, plan });
}

async function setAgreementOf(
  { database, actor }: AdminContext,
  { args, options }: Input,
): Promise<Report> {
  const before = await accountOf(database, args[0] ?? '');
  if (Object.keys(options).length === 0)
    throw new UsageProblem(
      'agreement set: give --monthly-credits, --requests-per-minute or --concurrent-requests',
    );
  const agreed = agreedBy(options, before.agreed);
  await database.transaction(async (tx) => {
    await changeAgreement(tx, before.id, agreed);
    // A larger grant applies at once.
    if (options['monthly-credits'] !== undefined)
      await setPlanIn(tx, { tenantId: before.id, plan: before.plan });
    const details = { from: before.agreed, to: agreed };
    await recordAdminAct(tx, { actor, act: 'agreement.set', tenantId: before.id, details });
  });
  return accountReport((await findTenant(database, before.id)) ?? { ...before, agreed });
}

function agreedBy(options: Input['options'], before: Agreed): Agreed {
  const figure = (name: OptionName, old: number | null, min: number): number | null =>
    figureOf(options[name], old, { name: `--${name}`, min });
  return {
    monthlyCredits: figure('monthly-credits', before.monthlyCredits, 0),
    requestsPerMinute: figure('requests-per-minute', before.requestsPerMinute, 1),
    concurrentRequests: figure('concurrent-requests', before.concurrentRequests, 1),
  };
}

/** An omitted option leaves its value unchanged. */
function figureOf(
  text: string | undefined,
  before: number | null,
  { name, min }: { readonly name: string; readonly min: number },
): number | null {
  if (text === undefined) return before;
  return text === 'none' ? null : wholeNumber(text, { name, min, max: MAX_INT });
}

function accountReport(tenant: TenantRecord): Report {
  return { value: tenant, text: accountText(tenant) };
}

function accountText({ id, name, plan, email, createdAt, agreed }: TenantRecord): string {
  return fieldsText({
    id,
    name,
    plan,
    email,
    created: createdAt,
    'monthly credits': agreed.monthlyCredits ?? "the plan's",
    'requests per minute': agreed.requestsPerMinute ?? "the plan's",
    'concurrent requests': agreed.concurrentRequests ?? "the plan's",
  });
}

function planOf(name: string): Plan {
  const plan = planNamed(name);
  if (plan === null)
    throw new UsageProblem(`no plan is named ${JSON.stringify(name)}: ${PLANS.join(', ')}`);
  return plan;
}

function emailOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!isEmail(text)) throw new UsageProblem('--email must be an e-mail address');
  return text;
}

/** PostgreSQL stores no NUL, and the list of tenants is one line each. */
export function parsePlainText(text: string, name: string): string {
  const isPlain = text.trim() !== '' && text.length <= MAX_TEXT_CHARS && !/\p{Cc}/u.test(text);
  if (isPlain) return text;
  throw new UsageProblem(
    `<${name}> must be 1 to ${MAX_TEXT_CHARS} characters without control characters`,
  );
}
