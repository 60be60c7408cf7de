import type { FusedBusiness } from './fused-business.js';

/** NAICS codes are searched by these leading digits, too. */
const NAICS_LEVELS = [2, 3, 4, 5, 6];
const MIN_WORD_CHARS = 3;
const MAX_WORDS = 20;

/**
 * Terms of a business that queries select by, sorted: `t:` technology, `n:` leading digits of the NAICS code, `i:` words
 * of its title, `s:` state, `c:` city.
 */
export function facetsOf({ techStack, industry, location }: FusedBusiness): readonly string[] {
  const { city, state } = location ?? {};
  const facets = [
    ...techStack.map(techFacet),
    ...(industry ? NAICS_LEVELS.map((digits) => naicsFacet(industry.naics.slice(0, digits))) : []),
    ...(industry ? titleFacets(industry.title) : []),
    ...(state === undefined ? [] : [stateFacet(state)]),
    ...(city === undefined ? [] : [cityFacet(city)]),
  ];
  return [...new Set(facets)].toSorted();
}

export const techFacet = (name: string): string => `t:${folded(name)}`;
export const stateFacet = (state: string): string => `s:${folded(state)}`;
export const cityFacet = (city: string): string => `c:${folded(city)}`;
const naicsFacet = (digits: string): string => `n:${digits}`;

/** A NAICS code of two to six digits, or words that the title of an industry has. */
export function industryFacets(text: string): readonly string[] {
  const digits = text.trim();
  return /^\d{2,6}$/.test(digits) ? [naicsFacet(digits)] : titleFacets(text);
}

function titleFacets(title: string): readonly string[] {
  const words = folded(title).split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word.length >= MIN_WORD_CHARS)
    .slice(0, MAX_WORDS)
    .map((word) => `i:${word}`);
}

/** Case and accents do not matter. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/\s+/g, ' ');
}
