import type { BrandReading, Enrichment } from '@app/company';
import type { Runtime } from '@app/runtime';
import { rememberCompany, type CompanyFacts } from './company-graph.js';

/** Writes the results of readings to the shared graph. */
export class CompanyWriter {
  constructor(private readonly runtime: Pick<Runtime, 'database' | 'log'>) {}

  /** No response waits for it or fails because of it. */
  remember(tenantId: string, facts: CompanyFacts): void {
    const { database, log } = this.runtime;
    rememberCompany(database, tenantId, facts).catch((err: unknown) =>
      log.warn({ err, source: facts.source }, 'a company was not written to the graph'),
    );
  }
}

/** The facts of a brand for the graph. */
export function factsOfBrand(brand: BrandReading): CompanyFacts {
  const { domain, name, industry, freshness } = brand;
  return {
    domain,
    source: 'brand',
    readAt: new Date(freshness),
    ...(name === undefined ? {} : { name }),
    ...(industry === undefined ? {} : { industry }),
    record: brand,
  };
}

/** The facts for the graph of an enrichment that was read at `readAt`. */
export function factsOfEnrichment(enrichment: Enrichment, readAt: Date): CompanyFacts {
  const { domain, tech, brand, usage: _, emails, phones, team, ...record } = enrichment;
  const industry = brand?.industry;
  return {
    domain,
    source: 'enrich',
    readAt,
    ...(brand?.name === undefined ? {} : { name: brand.name }),
    ...(industry === undefined ? {} : { industry }),
    contacts: { emails, phones, team },
    techStack: tech?.technologies.map(({ name }) => name) ?? [],
    record: { ...record, technologies: tech?.technologies ?? [] },
  };
}
