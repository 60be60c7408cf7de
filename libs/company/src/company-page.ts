import type { SocialNetwork } from './social-networks.js';
import type { TeamMember } from './enrichment.js';
import type { CompanyPlace } from './place/company-place.js';

/** What one page says of the company whose site it is on. JSON-safe and bounded (see limits.ts). */
export interface CompanyPage {
  /** Final address. */
  readonly url: string;
  /** Distinct but for case, in order of appearance; hosts in lower case. */
  readonly emails: readonly string[];
  /** Distinct numbers, in order of appearance. */
  readonly phones: readonly PagePhone[];
  readonly profiles: readonly ProfileSighting[];
  readonly team: readonly TeamMember[];
  readonly homepage: HomepageFacts;
  readonly place: CompanyPlace;
  /** Links of the same site that may lead to a priority page, in document order. */
  readonly links: readonly PageLinkText[];
}

export interface PagePhone {
  /** As written on the page. */
  readonly shown: string;
  /** E.164: what all spellings of one number share. */
  readonly number: string;
  /** How far the spelling is that of readers: 3 text, 2 the target of a link, 1 JSON-LD. */
  readonly rank: number;
  /** What the page calls it: a number called both is a telephone. */
  readonly called: 'phone' | 'fax' | 'nothing';
}

/** A profile at a social network and how much says that it is the company's own. */
export interface ProfileSighting {
  readonly network: SocialNetwork;
  /** Absolute, https, in one spelling for each profile. */
  readonly url: string;
  readonly points: number;
}

export interface HomepageFacts {
  readonly title?: string;
  readonly description?: string;
  readonly heroImage?: string;
}

export interface PageLinkText {
  /** Absolute, without fragment. */
  readonly url: string;
  readonly text: string;
}
