import type { Socials } from './social-networks.js';
import { type HomepageFacts } from './company-page.js';

/** What an enrichment found, as far as its completeness is concerned. */
export interface FoundSignals {
  readonly emails: readonly unknown[];
  readonly phones: readonly unknown[];
  readonly socials: Socials;
  /** Technologies found. */
  readonly tech: readonly unknown[];
  readonly team: readonly unknown[];
  readonly homepage: HomepageFacts;
}

/** The signals that an enrichment is expected to find (specification: "share of 8 expected"). */
export const SIGNALS = [
  'emails',
  'phones',
  'social',
  'tech',
  'team',
  'title',
  'description',
  'heroImage',
] as const;

/**
 * Share of the eight {@link SIGNALS} that were found, 0 to 1; signals that were not requested are
 * not found.
 */
export function enrichmentCompleteness(found: FoundSignals): number {
  const { emails, phones, socials, tech, team, homepage } = found;
  const isFound: Readonly<Record<(typeof SIGNALS)[number], boolean>> = {
    emails: emails.length > 0,
    phones: phones.length > 0,
    social: Object.keys(socials).length > 0,
    tech: tech.length > 0,
    team: team.length > 0,
    title: homepage.title !== undefined,
    description: homepage.description !== undefined,
    heroImage: homepage.heroImage !== undefined,
  };
  return SIGNALS.filter((signal) => isFound[signal]).length / SIGNALS.length;
}
