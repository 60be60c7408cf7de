import { forgetCompany, optOutHash, type OptOut } from '@app/graph';
import { recordAdminAct, isEmail } from '@app/accounts';
import { UsageProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { fieldsText } from './table-text.js';

export const COMPANY_COMMANDS = {
  'company forget': {
    args: ['domain|address'],
    options: [],
    help: 'deletes the stored data of a company or an e-mail address, and blocks it from being stored again',
    run: forget,
  },
} as const satisfies Record<string, Command>;

async function forget({ database, actor }: AdminContext, { args }: Input): Promise<Report> {
  const target = targetOf(args[0] ?? '');
  const forgotten = await database.transaction(async (tx) => {
    const readings = await forgetCompany(tx, target);
    // The audit log is never erased, so it gets neither domain nor address.
    const details = { kind: target.kind, hash: optOutHash(target).toString('hex'), readings };
    await recordAdminAct(tx, { actor, act: 'company.forget', tenantId: null, details });
    return readings;
  });
  return {
    value: { ...target, forgotten },
    text: fieldsText({ ...target, 'readings forgotten': forgotten }),
  };
}

/** An e-mail address, or a domain in any spelling that the graph accepts. @throws UsageProblem */
function targetOf(text: string): OptOut {
  if (isEmail(text)) return { kind: 'email', email: text };
  const domain = hostOf(text);
  if (domain !== null && domain.includes('.')) return { kind: 'domain', domain };
  throw new UsageProblem(
    `${JSON.stringify(text)} is neither a domain such as example.com nor an e-mail address`,
  );
}

/** Without protocol, `www.` and port. */
function hostOf(text: string): string | null {
  try {
    const { hostname } = new URL(/^https?:\/\//i.test(text) ? text : `http://${text}`);
    return hostname.replace(/^www\./, '');
  } catch {
    return null;
  }
}
