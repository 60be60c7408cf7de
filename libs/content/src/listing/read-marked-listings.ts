import type { ReadablePage } from '../readable-page.js';
import { firstName, roleOf } from './entity/choose-entity.js';
import { rankOf } from './entity/entity-types.js';
import type { PageIdentity } from './entity/page-identity.js';
import { readEntity } from './entity/read-entity.js';
import type { RelatedThing } from './entity/related-thing.js';
import { identifyPage } from './identify-page.js';
import { jsonLdThings } from './json-ld/json-ld-things.js';
import { FIELD_ORDER, type LayerFields, type ListingValues } from './listing-values.js';
import { surveyListing } from './page-text/survey-page.js';
import { textsOf, type Thing } from './thing.js';

/** One of the businesses that a page lists in its schema.org markup. */
export interface MarkedListing {
  readonly values: ListingValues;
  /** Its own address, as the markup states it: often the directory's page about it. */
  readonly page: string | undefined;
  /** Categories: what it serves, or the name of its type. */
  readonly categories: readonly string[];
}

const MAX_CATEGORIES = 10;
const MAX_CATEGORY_CHARS = 100;

/**
 * The businesses that a page lists, from the first syntax that has some: JSON-LD, microdata, RDFa. Never throws.
 * @param limit the most that are returned
 */
export function readMarkedListings(page: ReadablePage, limit: number): readonly MarkedListing[] {
  const identity = identifyPage(page);
  const fromJsonLd = listed(jsonLdThings(page.jsonLd).things, identity, limit);
  if (fromJsonLd.length > 0) return fromJsonLd;
  const { microdata, rdfa } = surveyListing(page.parsed.document);
  const fromMicrodata = listed(microdata.things, identity, limit);
  return fromMicrodata.length > 0 ? fromMicrodata : listed(rdfa.things, identity, limit);
}

function listed(
  things: readonly RelatedThing[],
  page: PageIdentity,
  limit: number,
): readonly MarkedListing[] {
  const found: MarkedListing[] = [];
  for (const { thing, relations } of things) {
    if (found.length >= limit) break;
    const name = firstName(thing);
    const isListed = roleOf(relations) === 'top' || roleOf(relations) === 'part';
    if (!isListed || name === undefined || rankOf(thing.types) !== 'business') continue;
    found.push(read(thing, name, page));
  }
  return found;
}

function read(thing: Thing, name: string, page: PageIdentity): MarkedListing {
  const chosen = { thing, rank: 'business', name, supplements: [], isNamedByPage: false } as const;
  const own = textsOf(thing, 'url')[0]?.text.trim() ?? '';
  return {
    values: valuesOf(readEntity(chosen, page)),
    page: own === '' ? undefined : page.resolver.resolveWeb(own),
    categories: categoriesOf(thing),
  };
}

function valuesOf(fields: LayerFields): ListingValues {
  return Object.fromEntries(
    FIELD_ORDER.flatMap((name) => {
      const found = fields[name];
      return found === undefined ? [] : [[name, found.value]];
    }),
  );
}

function categoriesOf(thing: Thing): readonly string[] {
  const stated = textsOf(thing, 'servesCuisine', 'category', 'knowsAbout').map(({ text }) =>
    text.trim(),
  );
  const types = thing.types.filter((type) => type !== 'LocalBusiness').map(spaced);
  return [...new Set(stated.length > 0 ? stated : types)]
    .filter((text) => text !== '' && text.length <= MAX_CATEGORY_CHARS)
    .slice(0, MAX_CATEGORIES);
}

/** `AutoRepair` → `Auto Repair`. */
function spaced(type: string): string {
  return type.replace(/([a-z])(?=[A-Z])/g, '$1 ');
}
