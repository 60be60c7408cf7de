import type { BrandReason, Plan } from '@app/contracts';
import type { Socials } from './social-networks.js';

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
  /** In the order of `BRAND_REASONS`, each once. */
  readonly reasons: readonly BrandReason[];
  /** ISO 8601: when the site was read. */
  readonly freshness: string;
}

/** Answer to a {@link BrandTask}. */
export type BrandReply =
  | { readonly kind: 'brand'; readonly brand: BrandReading }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'blocked'; readonly url: string };
