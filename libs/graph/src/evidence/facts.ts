/** The place of a business. Its parts belong together: they come from one source. */
export interface BusinessLocation {
  readonly street?: string;
  readonly city?: string;
  /** Two letters in the US and Canada. */
  readonly state?: string;
  readonly zip?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** NAICS 2022. */
export interface BusinessIndustry {
  readonly naics: string;
  readonly title: string;
}

/** Number of employees; `most` is missing when it has no upper bound. */
export interface EmployeeCount {
  readonly least: number;
  readonly most?: number;
}

/** Values of facts by field. */
export interface FactValues {
  readonly name: string;
  readonly description: string;
  /** URL. */
  readonly logo: string;
  readonly industry: BusinessIndustry;
  readonly location: BusinessLocation;
  /** E.164. */
  readonly phone: string;
  /** The mailbox of a desk (info@, sales@), never that of a person. */
  readonly email: string;
  readonly employees: EmployeeCount;
  /** US dollars a year. */
  readonly revenue: number;
  /** Name of one technology. */
  readonly tech: string;
  /** URLs of profiles. */
  readonly linkedin: string;
  readonly twitter: string;
  readonly facebook: string;
  readonly instagram: string;
  readonly youtube: string;
  /** Registrable domain. */
  readonly domain: string;
  /** Unique Entity ID of SAM.gov. */
  readonly uei: string;
  /** `CA:12345`: state and number. */
  readonly license: string;
}
export type FactField = keyof FactValues;

export const NETWORK_FIELDS = ['linkedin', 'twitter', 'facebook', 'instagram', 'youtube'] as const;

/** Fields that reach people: they expire and an opt-out of an address removes them. */
export const CONTACT_FIELDS = ['phone', 'email'] as const satisfies readonly FactField[];

/** One statement of a source. */
export type Fact = {
  readonly [F in FactField]: {
    readonly field: F;
    readonly value: FactValues[F];
    /** Above 0, at most 1. */
    readonly confidence: number;
    /** Where it was read; null: from an import. */
    readonly url: string | null;
  };
}[FactField];

/** The operations that read a site, and imports by their name. */
export type SiteSource = 'brand' | 'enrich' | 'resolve';
export type FactSource = SiteSource | `import:${string}`;

/** What one source states about one business at one time. */
export interface Observation {
  readonly source: FactSource;
  readonly seenAt: Date;
  readonly facts: readonly Fact[];
  /** The registrable domain whose own site was read; null: another source, such as a page below a domain. */
  readonly site: string | null;
}

/** A stored fact with the times at which its source stated it. */
export type BusinessEvidence = Fact & {
  readonly source: FactSource;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
};
