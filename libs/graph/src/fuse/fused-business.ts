import type { BusinessIndustry, BusinessLocation, NETWORK_FIELDS } from '../evidence/facts.js';

export type BusinessProfiles = Partial<Record<(typeof NETWORK_FIELDS)[number], string>>;

/** The record of a business, derived from its evidence alone. Absent fields have no evidence. */
export interface FusedBusiness {
  readonly domain?: string;
  readonly name?: string;
  readonly description?: string;
  readonly logo?: string;
  readonly industry?: BusinessIndustry;
  readonly location?: BusinessLocation;
  /** E.164. */
  readonly phone?: string;
  readonly email?: string;
  readonly employeeBand?: string;
  readonly revenueBand?: string;
  /** Sorted by name. */
  readonly techStack: readonly string[];
  readonly socials: BusinessProfiles;
  readonly uei?: string;
}

/** A fused record with what is known of its evidence. */
export interface FusedEvidence {
  readonly business: FusedBusiness;
  readonly hasSite: boolean;
  /** Different sources: an operation or import with the URL it read. */
  readonly sourceCount: number;
  readonly evidenceCount: number;
  /** When the newest evidence was seen. */
  readonly freshness: Date;
}
