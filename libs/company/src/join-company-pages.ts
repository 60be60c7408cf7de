import type { Socials } from './social-networks.js';
import type { TeamMember } from './enrichment.js';
import { type CompanyPage, type HomepageFacts, type PagePhone } from './company-page.js';
import { isSameOrganization } from './domain.js';
import { MAX_EMAILS, MAX_PHONES } from './limits.js';
import type { CompanyPlace } from './place/company-place.js';
import { joinPlaces } from './place/join-places.js';
import { joinProfiles } from './socials/join-profiles.js';
import { joinTeam } from './team/join-team.js';

/** What the pages of a site say together. */
export interface Company {
  /** Addresses of the site's own domain first, each part in the order of the pages. */
  readonly emails: readonly string[];
  /** As written: the spelling of text before that of links and data; in the order of the pages. */
  readonly phones: readonly string[];
  readonly socials: Socials;
  /** In the order of the pages. */
  readonly team: readonly TeamMember[];
  /** E.164, in the order of `phones`. */
  readonly phoneNumbers: readonly string[];
  readonly place: CompanyPlace;
  /** Of the first page. */
  readonly homepage: HomepageFacts;
}

/**
 * Joins what was read from the pages of one site, the homepage first: each address, number and
 * person once, bounded (limits.ts). Deterministic: the same pages in the same order give the same.
 */
export function joinCompanyPages(
  pages: readonly CompanyPage[],
  { domain }: { readonly domain: string },
): Company {
  const phones = joinPhones(pages.flatMap((page) => page.phones));
  return {
    emails: joinEmails(pages, domain),
    phones: phones.map(({ shown }) => shown),
    phoneNumbers: phones.map(({ number }) => number),
    place: joinPlaces(pages.map(({ place }) => place)),
    socials: joinProfiles(pages.map(({ profiles }) => profiles)),
    team: joinTeam(pages.flatMap(({ team }) => team)),
    homepage: pages[0]?.homepage ?? {},
  };
}

function joinEmails(pages: readonly CompanyPage[], domain: string): readonly string[] {
  const distinct = new Map<string, string>();
  for (const email of pages.flatMap(({ emails }) => emails))
    if (!distinct.has(email.toLowerCase())) distinct.set(email.toLowerCase(), email);
  const isOwn = (email: string): boolean =>
    isSameOrganization(email.slice(email.lastIndexOf('@') + 1), domain);
  const emails = [...distinct.values()];
  return [...emails.filter(isOwn), ...emails.filter((email) => !isOwn(email))].slice(0, MAX_EMAILS);
}

/** A number that a page calls a fax is none of the phones, unless another calls it a telephone. */
function joinPhones(sightings: readonly PagePhone[]): readonly PagePhone[] {
  const best = new Map<string, PagePhone>();
  const called = { phone: new Set<string>(), fax: new Set<string>(), nothing: new Set<string>() };
  for (const phone of sightings) {
    called[phone.called].add(phone.number);
    const known = best.get(phone.number);
    if (known === undefined || phone.rank > known.rank) best.set(phone.number, phone);
  }
  return [...best.values()]
    .filter(({ number }) => called.phone.has(number) || !called.fax.has(number))
    .slice(0, MAX_PHONES);
}
