import { forgetCompany, optOutHash, type OptOut } from '@app/graph';
import { recordAdminAct, isEmail } from '@app/accounts';
import { UsageProblem } from './admin-problem.js';
import type { AdminContext, Input, Report } from './command.js';
import { fieldsText } from './table-text.js';

/** Deletes a company or an address, and blocks it from being stored again. */
export async function forgetByDomainOrAddress(
  { database, actor }: AdminContext,
  { args }: Input,
): Promise<Report> {
  const target = targetOf(args[0] ?? '');
  const forgotten = await database.transaction(async (tx) => {
    const businesses = await forgetCompany(tx, target);
    // The audit log is never erased, so it gets neither domain nor address.
    const details = { kind: target.kind, hash: optOutHash(target).toString('hex'), businesses };
    await recordAdminAct(tx, { actor, act: 'graph.forget', tenantId: null, details });
    return businesses;
  });
  return {
    value: { ...target, forgotten },
    text: fieldsText({ ...target, 'businesses changed': forgotten }),
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
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  return url === null ? null : url.hostname.replace(/^www\./, '');
}
