import type { BrandReading, Enrichment } from '@app/company';
import type { TechReport } from '@app/tech';
import { presentBrand } from '../brand/present-brand.js';
import type { EnrichResult, HomepageView, TechMetaView } from './enrich-result.dto.js';

/**
 * The enrichment result of the specification.
 * @param wantsBrand a brand was requested: if it could not be read, it is empty and partial
 */
export function presentEnrichment(enrichment: Enrichment, wantsBrand: boolean): EnrichResult {
  const { domain, emails, phones, socials, team, pagesCrawled, tech, brand } = enrichment;
  const { completeness, isByModel, latencyMs, cacheAgeMs } = enrichment;
  return {
    domain,
    emails,
    phones,
    social: socials,
    tech_stack: tech?.technologies ?? [],
    team,
    pages_crawled: pagesCrawled,
    homepage: presentHomepage(enrichment.homepage),
    ...(wantsBrand ? presentBrandOf(brand) : {}),
    ...(tech ? { tech_meta: presentTechMeta(tech) } : {}),
    _completeness: completeness,
    _confidence: completeness,
    _extraction_method: isByModel ? 'deterministic+llm' : 'deterministic',
    _latency_ms: latencyMs,
    ...(cacheAgeMs === undefined ? {} : { _cache_age_ms: cacheAgeMs }),
  };
}

/** Whether there is data to charge for (specification: a call that returns no data). */
export function hasFindings({
  emails,
  phones,
  socials,
  team,
  homepage,
  tech,
  brand,
}: Enrichment): boolean {
  const lists = [emails, phones, team, tech?.technologies ?? [], brand?.colors ?? []];
  const facts = [socials, homepage, brand?.provenance ?? {}];
  return (
    lists.some((list) => list.length > 0) || facts.some((fact) => Object.keys(fact).length > 0)
  );
}

function presentHomepage({ title, description, heroImage }: Enrichment['homepage']): HomepageView {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(heroImage === undefined ? {} : { hero_image: heroImage }),
  };
}

function presentTechMeta({ reasons, scannedBytes, durationMs, sources }: TechReport): TechMetaView {
  return {
    partial: reasons.length > 0,
    reasons,
    scanned_bytes: Math.round(scannedBytes),
    duration_ms: Math.round(durationMs),
    ...(sources ? { sources } : {}),
  };
}

function presentBrandOf(brand: BrandReading | null): Pick<EnrichResult, 'brand' | 'brand_meta'> {
  if (brand === null) return { brand: {}, brand_meta: { partial: true, reasons: [] } };
  const { brand_meta, ...profile } = presentBrand(brand);
  return { brand: profile, brand_meta };
}
