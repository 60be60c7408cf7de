import type { FoundBusiness } from './found-business.js';

/**
 * The public facts of a business, and no others: there is no field for a phone number, an e-mail address, an owner or a
 * source (specification: Graph row).
 */
export interface GraphRow {
  readonly id: string;
  readonly domain: string | null;
  readonly name: string | null;
  readonly industry: string | null;
  readonly naics: string | null;
  readonly techStack: readonly string[];
  readonly city: string | null;
  readonly state: string | null;
  readonly employeeBand: string | null;
  readonly freshness: Date;
}

/** A row with what a site says about its company. */
export interface GraphBusiness extends GraphRow {
  readonly marketingSummary: string | null;
  /** Different facts that the graph knows of it, contacts included. */
  readonly signalCount: number;
}

export function graphRowOf({ id, business, freshness }: FoundBusiness): GraphRow {
  const { domain, name, industry, techStack, location, employeeBand } = business;
  return {
    id,
    domain: domain ?? null,
    name: publicText(name),
    industry: publicText(industry?.title),
    naics: industry?.naics ?? null,
    techStack: techStack.map((one) => publicText(one) ?? '').filter((one) => one !== ''),
    city: publicText(location?.city),
    state: publicText(location?.state),
    employeeBand: employeeBand ?? null,
    freshness,
  };
}

export function graphBusinessOf(found: FoundBusiness): GraphBusiness {
  const { business } = found;
  const { techStack, socials, ...fields } = business;
  return {
    ...graphRowOf(found),
    marketingSummary: publicText(business.description),
    signalCount: Object.keys(fields).length + techStack.length + Object.keys(socials).length,
  };
}

const MAX_CHARS = 1_000;
const ADDRESS_SIGN = /@|\(at\)|\[at\]|%40/i;
/** Digits of a number that can be dialled; shorter ones are years, sizes, house numbers. */
const LEAST_DIGITS = 7;

/** A text without e-mail addresses and phone numbers that a site wrote into it; null: nothing is left. */
export function publicText(text: string | undefined): string | null {
  if (text === undefined) return null;
  const words = text
    .slice(0, MAX_CHARS)
    .normalize('NFKC')
    .split(/\s+/)
    .filter((word) => !ADDRESS_SIGN.test(word));
  const kept: string[] = [];
  let numbers: string[] = [];
  const flush = (): void => {
    const digits = numbers.join('').replace(/\P{Nd}/gu, '').length;
    if (digits < LEAST_DIGITS) kept.push(...numbers);
    numbers = [];
  };
  for (const word of words) {
    if (isNumberPart(word)) numbers.push(word);
    else {
      flush();
      kept.push(word);
    }
  }
  flush();
  const left = kept.join(' ').trim();
  return left === '' ? null : left;
}

/** `(217)`, `544-0123`, `+49`, `30/1234567`, `tel:+12175440123`. */
function isNumberPart(word: string): boolean {
  const digits = word.replace(/\P{Nd}/gu, '').length;
  const letters = word.replace(/[^\p{L}]/gu, '').length;
  return digits > 0 ? digits >= letters : /^[-+/().–—]+$/.test(word);
}
