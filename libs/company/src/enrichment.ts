import type { LlmUsage, Plan } from '@app/contracts';
import type { TechReport } from '@app/tech';
import type { BrandReading } from './brand-reading.js';
import type { CompanyPlace } from './place/company-place.js';
import type { Socials } from './social-networks.js';

export interface TeamMember {
  readonly name: string;
  readonly role?: string;
  /** From JSON-LD only. */
  readonly email?: string;
}

/** Request of the `enrich` queue: reads what a company's site says about the company. */
export interface EnrichTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  /** Homepage. */
  readonly url: string;
  /** `fixed`: the seven pages of POST /v1/enrich; `chosen`: pages that the homepage leads to. */
  readonly pages: 'fixed' | 'chosen';
  /** The homepage included. */
  readonly maxPages: number;
  readonly includeEmails: boolean;
  readonly includeTech: boolean;
  readonly includeTeam: boolean;
  readonly includeBrand: boolean;
  /** Renders the homepage and matches its globals and requests, too. */
  readonly deepTech: boolean;
  /** A model may read people that the page shows without markup. */
  readonly useModel: boolean;
  /** Pages younger than this may come from the tenant's cache; 0: all are fetched. */
  readonly maxAgeMs: number;
  readonly deadlineAtMs: number;
}

export interface Enrichment {
  /** Without protocol, `www.` and port. */
  readonly domain: string;
  readonly emails: readonly string[];
  /** As written on the site. */
  readonly phones: readonly string[];
  /** E.164, in the order of `phones`. */
  readonly phoneNumbers: readonly string[];
  readonly place: CompanyPlace;
  readonly socials: Socials;
  readonly team: readonly TeamMember[];
  readonly pagesCrawled: number;
  readonly homepage: {
    readonly title?: string;
    readonly description?: string;
    readonly heroImage?: string;
  };
  /** Share of the eight signals found, 0 to 1. */
  readonly completeness: number;
  /** Null: not requested. */
  readonly tech: TechReport | null;
  /** Null: not requested. */
  readonly brand: BrandReading | null;
  /** A model ran and its output is part of the result. */
  readonly isByModel: boolean;
  readonly usage?: LlmUsage;
  readonly latencyMs: number;
  /** Served from the tenant's cache: how old it is. */
  readonly cacheAgeMs?: number;
}

/** Answer to an {@link EnrichTask}. */
export type EnrichReply =
  | { readonly kind: 'enriched'; readonly enrichment: Enrichment }
  | { readonly kind: 'failed'; readonly problem: string; readonly usage?: LlmUsage }
  | { readonly kind: 'blocked'; readonly url: string };
