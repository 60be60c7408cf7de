import type { BrandReading, CompanyPlace, Enrichment } from '@app/company';
import { usState } from '@app/content';
import { companyDomain } from './company-domain.js';
import { isSharedHost } from '../match/registrable-domain.js';
import { isDeskMailbox } from './desk-mailbox.js';
import {
  NETWORK_FIELDS,
  type BusinessLocation,
  type Fact,
  type FactField,
  type FactValues,
  type Observation,
  type SiteSource,
} from './facts.js';
import { storable } from './storable.js';

/** How sure a site's statement about its own company is. */
const CONFIDENCE = {
  domain: 1,
  name: 0.85,
  description: 0.8,
  logo: 0.8,
  phone: 0.8,
  email: 0.8,
  employees: 0.7,
  revenue: 0.7,
  tech: 0.8,
  linkedin: 0.8,
  twitter: 0.8,
  facebook: 0.8,
  instagram: 0.8,
  youtube: 0.8,
} as const satisfies Partial<Record<FactField, number>>;
const STREET_CONFIDENCE = 0.85;
const CITY_CONFIDENCE = 0.6;

/** Of one observation, so that no site fills the graph. */
const MAX_PHONES = 5;
const MAX_TECHNOLOGIES = 100;
const MAX_TEXT_CHARS = 1_000;

/** What a brand states for the graph; null: its domain is none. */
export function observationOfBrand(brand: BrandReading): Observation | null {
  return observation('brand', brand.domain, new Date(brand.freshness), factsOfBrand(brand));
}

/** What an enrichment that was read at `seenAt` states for the graph, its brand included. */
export function observationOfEnrichment(
  enrichment: Enrichment,
  seenAt: Date,
  source: Extract<SiteSource, 'enrich' | 'resolve'> = 'enrich',
): Observation | null {
  const { domain, phoneNumbers, emails, tech, place, socials, brand, homepage } = enrichment;
  const url = homeOf(domain);
  const company = companyDomain(domain);
  const facts: Fact[] = [
    ...factsOfPlace(place, url),
    ...phoneNumbers.slice(0, MAX_PHONES).map((phone) => stated('phone', phone, url)),
    ...emails
      .filter((email) => company !== null && isDeskMailbox(email, company))
      .slice(0, 1)
      .map((email) => stated('email', email.toLowerCase(), url)),
    ...(tech?.technologies ?? [])
      .slice(0, MAX_TECHNOLOGIES)
      .map(({ name }) => stated('tech', name, url)),
  ];
  if (brand !== null)
    return observation(source, domain, seenAt, [...facts, ...factsOfBrand(brand)]);
  const { description } = homepage;
  if (description !== undefined) facts.push(stated('description', description, url));
  for (const network of NETWORK_FIELDS) {
    const profile = socials[network];
    if (profile !== undefined) facts.push(stated(network, profile, url));
  }
  return observation(source, domain, seenAt, facts);
}

function factsOfBrand(brand: BrandReading): readonly Fact[] {
  const { name, description, logo, industry, socials } = brand;
  const url = homeOf(brand.domain);
  const facts: Fact[] = [];
  if (name !== undefined) facts.push(stated('name', name, url));
  if (description !== undefined) facts.push(stated('description', description, url));
  if (logo !== undefined) facts.push(stated('logo', logo, url));
  for (const network of NETWORK_FIELDS) {
    const profile = socials[network];
    if (profile !== undefined) facts.push(stated(network, profile, url));
  }
  if (industry === undefined) return facts;
  const { naics, title, confidence } = industry;
  return [...facts, { field: 'industry', value: { naics, title }, confidence, url }];
}

function factsOfPlace({ employees, ...location }: CompanyPlace, url: string): readonly Fact[] {
  const facts: Fact[] = [];
  const { city, state, zip, country } = location;
  const isUs = country === undefined && state !== undefined && usState(state) !== undefined;
  const value = isUs ? { ...location, country: 'US' } : location;
  if (city !== undefined || zip !== undefined)
    facts.push({ field: 'location', value, confidence: confidenceOf(location), url });
  if (employees !== undefined) facts.push(stated('employees', employees, url));
  return facts;
}

/** One source for all that a site states, whichever page and scheme it was read by. */
const homeOf = (domain: string): string => `https://${domain}/`;

function confidenceOf({ street }: BusinessLocation): number {
  return street === undefined ? CITY_CONFIDENCE : STREET_CONFIDENCE;
}

function stated<F extends keyof typeof CONFIDENCE>(
  field: F,
  value: FactValues[F],
  url: string,
): Fact {
  return { field, value, confidence: CONFIDENCE[field], url } as Fact;
}

function observation(
  source: SiteSource,
  domain: string,
  seenAt: Date,
  facts: readonly Fact[],
): Observation | null {
  const site = companyDomain(domain);
  if (site === null) return null;
  // A page on a subdomain or a shared host does not speak for the owner of the domain.
  const isOwn = site === domain && !isSharedHost(site);
  const known = stated('domain', site, homeOf(domain));
  return { source, seenAt, site: isOwn ? site : null, facts: [...facts.map(bounded), known] };
}

/** Texts of pages have any length and any characters. */
function bounded(fact: Fact): Fact {
  const { value } = fact;
  const cut = typeof value === 'string' ? value.trim().slice(0, MAX_TEXT_CHARS) : value;
  return { ...fact, value: storable(cut) } as Fact;
}
