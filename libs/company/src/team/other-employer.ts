import { domainOf, ownLabel } from '../domain.js';

/** "CTO at Contoso", "VP @ Contoso": the rest begins with a capital. */
const EMPLOYER = /(?:\s(?:at|bei|chez|presso)\s|\s?@\s?)(\p{Lu}[^,;|]{1,80})$/u;
const LEGAL_FORM =
  /(?:^|[,–—|@-]\s?|\s(?:at|of|bei)\s)([^,–—|@]{2,80}\s(?:inc|llc|ltd|limited|gmbh|ag|corp|corporation|plc|pty|sarl|sas|srl|bv|oy|ab|kg)\.?)$/iu;
/** "Design Lead, MetaLab": a word with a capital inside is a brand, not a department. */
const BRAND = /,\s((?:\p{Lu}[^\s,;|]{0,30}\s){0,2}\p{L}{0,30}\p{Ll}\p{Lu}\p{L}{0,30})$/u;
/** So many people of one page, and most, are a company's own, whatever its site is called. */
const OWN_PEOPLE = 2;

/**
 * Roles that name a company other than the one whose site this is: those of customers and partners
 * who are quoted. A company that several people of the page work for is its own.
 */
export function rolesElsewhere(roles: readonly string[], url: string): ReadonlySet<string> {
  const site = keyOf(ownLabel(domainOf(url)));
  const named = roles.flatMap((role) => {
    const name = LEGAL_FORM.exec(role)?.[1] ?? EMPLOYER.exec(role)?.[1] ?? BRAND.exec(role)?.[1];
    return name === undefined ? [] : [{ role, name: keyOf(name), first: firstOf(name) }];
  });
  const people = new Map<string, number>();
  for (const { name } of named) people.set(name, (people.get(name) ?? 0) + 1);
  const elsewhere = named.filter(({ name, first }) => {
    const isNamedLikeSite = name.includes(site) || (first.length > 2 && site.includes(first));
    const count = people.get(name) ?? 0;
    return !isNamedLikeSite && (count < OWN_PEOPLE || 2 * count <= named.length);
  });
  return new Set(elsewhere.map(({ role }) => role));
}

const keyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** The word that tells companies apart: `Acme` of "Acme Tools Inc.". */
const firstOf = (name: string): string => keyOf(name.trim().split(/\s+/)[0] ?? '');
