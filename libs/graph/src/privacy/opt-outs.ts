import { createHash } from 'node:crypto';
import { run, type Queryable, type Statement } from '@app/database';
import { companyDomain } from '../evidence/company-domain.js';
import type { Fact, Observation } from '../evidence/facts.js';
import { fuseBusinesses } from '../store/fused-rows.js';
import { separateMembers } from '../store/merge-rows.js';

/**
 * Shared by any number of writers of observations; exclusive for deletions: nothing is written between the steps of a
 * deletion.
 */
export const OPT_OUT_LOCK = 7_261_774_197;

const LOCK: Statement = {
  name: 'lock_businesses',
  text: `SELECT pg_advisory_xact_lock(${OPT_OUT_LOCK})`,
};

/** Held until the end of the transaction. */
export async function lockForDeletion(tx: Queryable): Promise<void> {
  await run(tx, LOCK, []);
}

/** A company by its domain, or an e-mail address. */
export type OptOut =
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'email'; readonly email: string };

/** The stored form of an opt-out: it recognises a repeated request, and identifies no one. */
export function optOutHash(one: OptOut): Buffer {
  const text = one.kind === 'domain' ? one.domain : one.email;
  return createHash('sha256').update(`${one.kind}:${text.trim().toLowerCase()}`).digest();
}

const OPTED_OUT: Statement = {
  name: 'company_optouts_of',
  text: `SELECT encode(hash, 'hex') AS hash FROM company_optouts WHERE hash = ANY ($1::bytea[])`,
};

/** The parts of observations that may be stored; null: nothing of it, since its company opted out. */
export async function withoutOptOuts(
  tx: Queryable,
  observations: readonly Observation[],
): Promise<readonly (Observation | null)[]> {
  const hashes = observations.flatMap(({ facts }) => facts.flatMap((fact) => optOutOf(fact) ?? []));
  const rows = await run<{ hash: string }>(tx, OPTED_OUT, [hashes]);
  const hidden = new Set(rows.map(({ hash }) => hash));
  if (hidden.size === 0) return observations;
  const isHidden = (fact: Fact): boolean => hidden.has(optOutOf(fact)?.toString('hex') ?? '');
  return observations.map((one) => {
    if (one.facts.some((fact) => fact.field === 'domain' && isHidden(fact))) return null;
    return { ...one, facts: one.facts.filter((fact) => !isHidden(fact)) };
  });
}

function optOutOf(fact: Fact): Buffer | null {
  if (fact.field === 'domain') return optOutHash({ kind: 'domain', domain: fact.value });
  return fact.field === 'email' ? optOutHash({ kind: 'email', email: fact.value }) : null;
}

const NOTE: Statement = {
  name: 'note_company_optout',
  text: 'INSERT INTO company_optouts (hash) VALUES ($1) ON CONFLICT DO NOTHING',
};
/** All that sources state of a business of that domain. Others may have joined records that are not the company's. */
const DELETE_COMPANY: Statement = {
  name: 'forget_company',
  text: `
    WITH named AS (
      SELECT e.business_id, e.source, e.url FROM business_keys k
      JOIN business_evidence e ON e.business_id = k.business_id AND e.field = 'domain' AND e.value = to_jsonb($1::text)
      WHERE k.kind = 'domain' AND k.value = $1),
    gone AS (
      DELETE FROM business_evidence e USING named n
      WHERE e.business_id = n.business_id AND e.source = n.source AND e.url IS NOT DISTINCT FROM n.url)
    SELECT DISTINCT business_id AS "businessId" FROM named`,
};
const DELETE_ADDRESS: Statement = {
  name: 'forget_company_address',
  text: `
    DELETE FROM business_evidence
    WHERE field = 'email' AND left(value #>> '{}', 254) = left($1, 254) AND value = to_jsonb($1::text)
    RETURNING business_id AS "businessId"`,
};

/**
 * Deletes a company, or an address, and prevents its return: only a hash remains. What its evidence had joined is
 * separate again. Returns the number of businesses that were deleted or changed.
 */
export async function forgetCompany(tx: Queryable, one: OptOut): Promise<number> {
  await lockForDeletion(tx);
  if (one.kind === 'email') return forgetAddress(tx, one.email);
  const domain = companyDomain(one.domain) ?? one.domain;
  await run(tx, NOTE, [optOutHash({ kind: 'domain', domain })]);
  const gone = await run<{ businessId: string }>(tx, DELETE_COMPANY, [domain]);
  const ids = gone.map(({ businessId }) => businessId);
  await fuseBusinesses(tx, [...ids, ...(await separateMembers(tx, ids))]);
  return ids.length;
}

async function forgetAddress(tx: Queryable, email: string): Promise<number> {
  await run(tx, NOTE, [optOutHash({ kind: 'email', email })]);
  const address = email.trim().toLowerCase();
  const gone = await run<{ businessId: string }>(tx, DELETE_ADDRESS, [address]);
  const ids = [...new Set(gone.map(({ businessId }) => businessId))];
  await fuseBusinesses(tx, ids);
  return ids.length;
}
