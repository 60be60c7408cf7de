import type { LlmUsage } from './llm.js';
import type { Plan } from './plans.js';
import type { TechReport } from './tech.js';

/** Networks whose profiles an enrichment lists (specification: Enrichment result, `social`). */
export const SOCIAL_NETWORKS = ['linkedin', 'twitter', 'facebook', 'instagram', 'youtube'] as const;
export type SocialNetwork = (typeof SOCIAL_NETWORKS)[number];
export type Socials = Readonly<Partial<Record<SocialNetwork, string>>>;

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

/** Why a brand reading saw less than all of a page's style (specification: brand_meta). */
export const BRAND_REASONS = [
  'stylesheet_budget',
  'stylesheet_count_cap',
  'stylesheet_byte_cap',
  'stylesheet_total_byte_cap',
  'stylesheet_timeout',
  'css_cap',
  'var_budget',
  'var_depth_cap',
  'css_value_cap',
  'button_scan_cap',
  'jsonld_node_cap',
] as const;
export type BrandReason = (typeof BRAND_REASONS)[number];

/** Request of the `brand` queue. */
export interface BrandTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  /** Homepage. */
  readonly url: string;
  readonly deadlineAtMs: number;
}

export interface BrandColor {
  /** `#rrggbb`. */
  readonly hex: string;
  readonly rgb: readonly [number, number, number];
  /** How often the page's style uses it, its roles weighed in. */
  readonly frequency: number;
}

export interface Industry {
  /** NAICS 2022 code. */
  readonly naics: string;
  readonly title: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Fields of a brand that name the address they come from. */
export type BrandField =
  'name' | 'description' | 'logo' | 'favicon' | 'colors' | 'fonts' | 'socials' | 'industry';

/** A company as its homepage presents it. Absent fields were not resolved. */
export interface BrandReading {
  readonly domain: string;
  readonly name?: string;
  readonly description?: string;
  readonly logo?: string;
  readonly favicon?: string;
  /** By frequency, highest first. */
  readonly colors: readonly BrandColor[];
  readonly fonts: readonly string[];
  readonly socials: Socials;
  readonly industry?: Industry;
  /** 0 to 1. */
  readonly confidence: number;
  /** Address of the page or style sheet each resolved field was read from. */
  readonly provenance: Readonly<Partial<Record<BrandField, string>>>;
  /** In the order of {@link BRAND_REASONS}, each once. */
  readonly reasons: readonly BrandReason[];
  /** ISO 8601: when the site was read. */
  readonly freshness: string;
}

/** Answer to a {@link BrandTask}. */
export type BrandReply =
  | { readonly kind: 'brand'; readonly brand: BrandReading }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'blocked'; readonly url: string };
