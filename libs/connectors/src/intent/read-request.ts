import { collapse } from '@app/content';
import { bareDomain } from '@app/search';
import type { ConnectorInput } from '../port/connector.js';
import { knownKind, namedPlace, SENTENCE_SIGNS, withoutTrailing } from './named-place.js';

/** A request in words, as far as rules understand it. */
export interface ReadRequest extends ConnectorInput {
  /** Rows that it names; null: none. */
  readonly maxRows: number | null;
}

/** What rules read of a longer request. */
const MAX_CHARS = 2_000;
const MAX_WORDS = 200;
/** `in the yellow pages for Topeka` names a scraper, not a place. */
const PHONE_BOOK =
  /\b(?:(?:use|using|in|from|search) )?(?:the )?(?:phone ?book|yellow pages)(?: (?:entries|listings?))?(?: (?:of|for|to find))?\b:?/gi;

/** Reads a request by rules: linear in its text, which is bounded. */
export function readRequest(message: string): ReadRequest {
  const text = collapse(message.slice(0, MAX_CHARS));
  const { urls, domains } = addressesIn(text);
  const hasAddress = urls.length + domains.length > 0;
  const filtered = takeFilters(text);
  const counted = takeCount(filtered.text);
  const technologies = hasAddress ? [] : namedTechnologies(text);
  const named = hasAddress ? null : namedPlace(withoutPhoneBook(counted.text));
  const kind = named?.kind ?? (hasAddress ? null : knownKind(wordsOf(counted.text)));
  return {
    text,
    kind,
    place: named?.place ?? null,
    technologies,
    domains,
    urls,
    filters: { ...filtered.filters },
    maxRows: counted.maxRows,
  };
}

function withoutPhoneBook(text: string): string {
  const rest = text.replace(PHONE_BOOK, (phrase) => (/\b(?:of|for)$/i.test(phrase) ? ' in ' : ' '));
  return rest.replace(/\s+/g, ' ').trim();
}

function wordsOf(text: string): readonly string[] {
  return withoutTrailing(text.toLowerCase(), SENTENCE_SIGNS).split(' ').slice(-MAX_WORDS);
}

/** A host name whose last label is a word, not a number or the end of a sentence. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,6}[a-z]{2,24}$/i;

function addressesIn(text: string): Pick<ConnectorInput, 'urls' | 'domains'> {
  const urls: string[] = [];
  const domains: string[] = [];
  for (const word of text.split(' ').slice(0, MAX_WORDS)) {
    const bare = withoutTrailing(word.replace(/^[("'<[]+/, ''), `${SENTENCE_SIGNS})"'>]`);
    if (/^https?:\/\//i.test(bare)) {
      if (URL.canParse(bare)) urls.push(bare);
    } else if (HOST.test(bare.split('/')[0] ?? '')) {
      const domain = bareDomain(bare);
      if (domain !== null) domains.push(domain);
    }
  }
  return { urls: [...new Set(urls)], domains: [...new Set(domains)] };
}

const WHO = String.raw`(?:compan(?:y|ies)|business(?:es)?|sites?|websites?|shops?|stores?|firms?|practices?|startups?|organi[sz]ations?|agencies|who|brands?)`;
const USES = String.raw`(?:(?:that |which |who )?(?:are )?(?:us(?:es?|ing)|run(?:s|ning)?(?: on)?|built (?:with|on)|powered by|on|with))`;
const USERS = new RegExp(String.raw`\b${WHO} ${USES} (.+)$`, 'i');
const END = /\s(?:in|near|around|located|based|with|without|that)\s.*$/i;
const MAX_TECHNOLOGIES = 10;

/** Technologies whose users a request looks for: `companies using Shopify and Stripe in Texas`. */
function namedTechnologies(text: string): readonly string[] {
  const found = USERS.exec(text)?.[1]?.replace(END, '');
  if (found === undefined) return [];
  const parts = withoutTrailing(found, SENTENCE_SIGNS)
    .split(/,|\band\b|\bor\b|&/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // Names of products have a capital letter; `with a website` names none.
  const isName = parts.every((part) => /\p{Lu}/u.test(part) && part.split(' ').length <= 3);
  return isName ? parts.slice(0, MAX_TECHNOLOGIES) : [];
}

const WORDS: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ twelve: 12, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60 },
  ...{ hundred: 100, 'a hundred': 100, 'one hundred': 100, 'a dozen': 12, dozen: 12 },
};
const NUMBER = String.raw`\d{1,6}|a dozen|a hundred|one hundred|[a-z]{3,8}`;
/** `top 10`, `up to 40`, `first five`. */
const BEFORE = new RegExp(
  String.raw`\b(?:the )?(?:top|first|up to|at most|no more than|max(?:imum)?(?: of)?|only|make it|limit(?: (?:it|to))?|with|get|list|show|find|fetch|pull|give me|get me|find me|show me|export|search|a list of|need)(?: me)?(?: the)? (${NUMBER})\b(?! stars?| or (?:higher|more|better)|\.\d)`,
  'i',
);
/** `60 of them`, `20 results`. */
const AFTER = /\b(\d{1,6})\s+(?:of (?:them|these|those)|results?|rows?|entries|businesses)\b/i;
/** At the start: `100 real estate agents`. */
const FIRST = new RegExp(String.raw`^(?:the )?(${NUMBER}) (?=[a-z])`, 'i');

interface CountedText {
  /** Without the words of the number. */
  readonly text: string;
  readonly maxRows: number | null;
}

/** Takes the number of rows out of a request; a postal code or a rating is none. */
function takeCount(text: string): CountedText {
  for (const pattern of [AFTER, BEFORE, FIRST]) {
    const [match, word = ''] = pattern.exec(text) ?? [];
    const count = match === undefined ? null : countOf(word);
    if (match === undefined || count === null) continue;
    const rest = text.replace(match, match.replace(new RegExp(`${word}\\b`, 'i'), ''));
    const cleaned = pattern === AFTER ? text.replace(match, '') : rest;
    return { text: cleaned.replace(/\s+/g, ' ').trim(), maxRows: count };
  }
  return { text, maxRows: null };
}

function countOf(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word) > 0 ? Number(word) : null;
  return WORDS[word.toLowerCase()] ?? null;
}

/** What rows must have, in the words of parameters. */
interface RowFilters {
  readonly has_website?: boolean;
  readonly has_phone?: boolean;
  readonly min_rating?: number;
}

interface FilteredText {
  /** Without the words of the filters. */
  readonly text: string;
  readonly filters: RowFilters;
}

const OWN = String.raw`(?:that |who |which |those |ones )*(?:with|have|has|having|do have|got)(?: an?| their own| any)?`;
const LACKING = String.raw`(?:that |who |which |those |ones )*(?:without|have no|has no|with no|lacking|don'?t have|do not have)(?: an?| any)?`;
const SITE = String.raw`(?:web ?sites?|web ?pages?|homepages?)`;
const PHONE = String.raw`(?:(?:tele)?phone(?: numbers?)?|telephone)`;

const RULES: readonly { readonly pattern: RegExp; readonly filters: RowFilters }[] = [
  { pattern: new RegExp(String.raw`\b${LACKING} ${SITE}\b`, 'i'), filters: { has_website: false } },
  { pattern: new RegExp(String.raw`\b${OWN} ${SITE}\b`, 'i'), filters: { has_website: true } },
  { pattern: new RegExp(String.raw`\b${LACKING} ${PHONE}\b`, 'i'), filters: { has_phone: false } },
  { pattern: new RegExp(String.raw`\b${OWN} ${PHONE}\b`, 'i'), filters: { has_phone: true } },
];
const RATING =
  /\b(?:(?:that are |and )?rated|with(?: a)?(?: rating)?(?: of)?|rating|stars?)? ?(?:above|over|at least|more than|min(?:imum)?|of) (\d(?:\.\d{1,2})?)(?: ?stars?| or (?:higher|more|better|above))?(?= |$|[?.,!])|\brated (\d(?:\.\d{1,2})?) or (?:higher|more|better|above)|\b(\d(?:\.\d{1,2})?)\+? stars?(?: or (?:higher|more|better|above))?/i;

/** Takes conditions on rows out of a request. */
function takeFilters(text: string): FilteredText {
  let rest = text;
  const filters: { -readonly [Name in keyof RowFilters]: RowFilters[Name] } = {};
  for (const rule of RULES) {
    if (!rule.pattern.test(rest)) continue;
    rest = rest.replace(rule.pattern, ' ');
    Object.assign(filters, rule.filters);
  }
  const rating = RATING.exec(rest);
  const least = rating?.slice(1).find((one) => one !== undefined);
  if (rating !== null && least !== undefined && Number(least) <= 5) {
    filters.min_rating = Number(least);
    // `rated` and `stars` still say which scraper is meant.
    rest = rest.replace(rating[0], ' rated ');
  }
  return { text: rest.replace(/\s+/g, ' ').trim(), filters };
}
