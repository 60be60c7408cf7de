import { RESOLVED_CONFIDENCE, type FoundBusiness, type ResolvedBy } from '@app/graph';
import type { ResolveResult } from './resolve.dto.js';

/** The company record of the specification. */
export function presentCompany(
  { business, sourceCount, freshness }: Omit<FoundBusiness, 'id'>,
  resolvedBy: ResolvedBy | 'live',
): ResolveResult {
  const { domain, name, description, logo, industry, location, phone, email } = business;
  const { employeeBand, revenueBand, socials, techStack } = business;
  return {
    resolved: true,
    domain: domain ?? null,
    name: name ?? null,
    description: description ?? null,
    logo: logo ?? null,
    industry: industry ?? null,
    socials,
    tech_stack: techStack,
    location: location
      ? {
          city: location.city ?? null,
          state: location.state ?? null,
          zip: location.zip ?? null,
          country: location.country ?? null,
        }
      : null,
    phone: phone ?? null,
    email: email ?? null,
    employee_band: employeeBand ?? null,
    revenue_band: revenueBand ?? null,
    _resolved_by: resolvedBy,
    _confidence: resolvedBy === 'live' ? liveConfidence(business) : RESOLVED_CONFIDENCE[resolvedBy],
    _freshness: freshness.toISOString(),
    _source_count: sourceCount,
  };
}

const LIVE_BASE = 0.4;
const LIVE_STEP = 0.06;

/** 0.4 to 0.88 by the signals that were found (specification: Company record). */
function liveConfidence({
  name,
  logo,
  industry,
  socials,
  techStack,
  location,
  phone,
  email,
}: FoundBusiness['business']): number {
  const signals = [
    ...[name, logo, industry, location, phone, email].map((value) => value !== undefined),
    Object.keys(socials).length > 0,
    techStack.length > 0,
  ];
  return Number((LIVE_BASE + LIVE_STEP * signals.filter(Boolean).length).toFixed(2));
}
