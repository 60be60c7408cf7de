import { collapse } from '@app/content';
import { bareDomain } from '@app/search';
import type { ConnectorInput } from '../port/connector.js';
import { knownKind, namedPlace } from './named-place.js';
import { namedTechnologies } from './named-technologies.js';
import { SENTENCE_SIGNS, withoutTrailing } from './trailing-signs.js';
import { takeCount } from './row-count.js';
import { takeFilters } from './row-filters.js';

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
