import {
  enrichmentCompleteness,
  domainOf,
  joinCompanyPages,
  type CompanyPage,
  type BrandReading,
  type EnrichTask,
  type Enrichment,
} from '@app/company';
import type { TechReport } from '@app/tech';
import { joinTeams, type TeamReading } from './team-by-model.js';

/** Findings from sources other than the pages' text; null: not requested, or unavailable. */
export interface FoundBeside {
  readonly tech: TechReport | null;
  readonly brand: BrandReading | null;
  readonly team: TeamReading | null;
}

/** @param pages the homepage first */
export function joinEnrichment(
  { url, includeEmails, includeTeam }: EnrichTask,
  pages: readonly CompanyPage[],
  { tech, brand, team: read, latencyMs }: FoundBeside & { readonly latencyMs: number },
): Enrichment {
  const domain = domainOf(url);
  const company = joinCompanyPages(pages, { domain });
  const found = {
    emails: includeEmails ? company.emails : [],
    phones: company.phones,
    socials: company.socials,
    team: includeTeam ? joinTeams(company.team, read?.team ?? []) : [],
    homepage: company.homepage,
  };
  return {
    domain,
    ...found,
    phoneNumbers: company.phoneNumbers,
    place: company.place,
    pagesCrawled: pages.length,
    completeness: enrichmentCompleteness({ ...found, tech: tech?.technologies ?? [] }),
    tech,
    brand,
    isByModel: read?.isAnswered ?? false,
    ...(read ? { usage: read.usage } : {}),
    latencyMs,
  };
}
