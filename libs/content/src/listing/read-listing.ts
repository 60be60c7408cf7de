import type { FieldOrigin, Listing } from '@app/contracts';
import type { ReadablePage } from '../readable-page.js';
import { chooseEntity, type ChosenEntity, type EntityChoice } from './entity/choose-entity.js';
import { nameLetters, type PageIdentity } from './entity/page-identity.js';
import { readAsGiven } from './entity/read-as-given.js';
import { readEntity } from './entity/read-entity.js';
import { identifyPage } from './identify-page.js';
import { isListing, isRuledOut } from './is-listing.js';
import { jsonLdThings, type JsonLdThings } from './json-ld/json-ld-things.js';
import type { LayerFields, FieldName } from './listing-values.js';
import { mergeLayers, type Layer, type Merged } from './merge-layers.js';
import { isHomeOrContactPage } from './own-page.js';
import { readOpenGraph, type OpenGraph } from './open-graph/read-open-graph.js';
import { surveyListing, type ListingSurvey } from './page-text/survey-page.js';
import { looksLikeDirectory } from './text-layer/directory-signs.js';
import { findEmail } from './text-layer/find-email.js';
import { findPhone } from './text-layer/find-phone.js';
import type { TextPage } from './text-layer/text-page.js';
import { readPatterns, readStructure } from './text-layer/read-text-layers.js';
import { namesItsTown, showsPlace } from './text-layer/shows-place.js';

/** A listing and whether limits left parts of the page unread. */
export interface ListingReading {
  readonly listing: Listing | null;
  /** JSON-LD, marked items or lines beyond the limits. */
  readonly isCut: boolean;
}

/**
 * The business a page is about, or null when it is about none (see {@link isListing}). Pure and
 * deterministic: the same page and address give the same bytes. Never throws.
 */
export function readListing(page: ReadablePage): Listing | null {
  return readListingWithCuts(page).listing;
}

/** The business whose front or contact page this is; null for every other page. */
export function readOwnListing(page: ReadablePage): Listing | null {
  return isHomeOrContactPage(identifyPage(page)) ? readListing(page) : null;
}

/** Like {@link readListing}, and says whether the page was read as a whole. */
export function readListingWithCuts(page: ReadablePage): ListingReading {
  const survey = surveyListing(page.parsed.document);
  const identity = identifyPage(page);
  const jsonLd = jsonLdThings(page.jsonLd);
  const markup = readMarkup(jsonLd, survey, identity);
  const openGraph = readOpenGraph(page.parsed.described, identity);
  const known = {
    page: identity,
    choice: markup.choice,
    isOpenGraphBusiness: openGraph.isBusiness || openGraph.isProduct,
    isArticle: openGraph.isArticle,
    isUndatedArticle: openGraph.isUndatedArticle,
  };
  const isCut = jsonLd.isCut || survey.isCut;
  if (isRuledOut(known)) return { listing: null, isCut };
  const merged = mergeLayers([
    ...markup.layers,
    { layer: 'open-graph', fields: openGraph.fields },
    ...textLayers(page, survey, identity, openGraph, markup),
    ...markup.asGiven,
    { layer: 'json-ld', fields: typesField(jsonLd) },
    { layer: 'heuristic', fields: { url: ownAddress(identity) } },
  ]);
  const found = isListing({ ...known, merged, lines: survey.lines });
  return { listing: found ? present(merged) : null, isCut };
}

interface Markup {
  readonly layers: readonly Layer[];
  /** Unchecked values of it, for fields that no layer has. */
  readonly asGiven: readonly Layer[];
  readonly choice: EntityChoice;
}

/** The layers of schema.org markup, in order; one about another business is left out. */
function readMarkup(jsonLd: JsonLdThings, survey: ListingSurvey, identity: PageIdentity): Markup {
  const choices = [
    { layer: 'json-ld', choice: chooseEntity(jsonLd.things, identity) },
    { layer: 'microdata', choice: chooseEntity(survey.microdata.things, identity) },
    { layer: 'rdfa', choice: chooseEntity(survey.rdfa.things, identity) },
  ] as const;
  const main = mainOf(choices.map(({ choice }) => choice));
  const own = choices.flatMap(({ layer, choice: { chosen } }) =>
    chosen !== undefined && isSameBusiness(chosen, main.chosen) ? [{ layer, chosen }] : [],
  );
  return {
    layers: own.map(({ layer, chosen }) => ({ layer, fields: readEntity(chosen, identity) })),
    asGiven: own.map(({ layer, chosen }) => ({ layer, fields: readAsGiven(chosen, identity) })),
    choice: main,
  };
}

/** The first choice of the best rank; what any says about articles and lists holds for all. */
function mainOf(choices: readonly EntityChoice[]): EntityChoice {
  const business = choices.find(({ chosen }) => chosen?.rank === 'business');
  const main = business ?? choices.find(({ chosen }) => chosen !== undefined);
  return {
    chosen: main?.chosen,
    isOtherSubject: choices.some(({ isOtherSubject }) => isOtherSubject),
    isList: main === undefined && choices.some(({ isList }) => isList),
  };
}

function isSameBusiness(chosen: ChosenEntity, main: ChosenEntity | undefined): boolean {
  if (main === undefined || chosen === main) return true;
  const [a, b] = [nameLetters(chosen.name), nameLetters(main.name)];
  return a.includes(b) || b.includes(a);
}

/** What the page shows. About a product, the shop's address and hours say nothing. */
function textLayers(
  { parsed, url }: ReadablePage,
  survey: ListingSurvey,
  identity: PageIdentity,
  openGraph: OpenGraph,
  markup: Markup,
): readonly Layer[] {
  const isDirectory = looksLikeDirectory(survey, url, openGraph.siteName);
  const text = { survey, identity, isDirectory };
  const { described } = parsed;
  const { chosen } = markup.choice;
  const isMarked = chosen !== undefined || openGraph.isBusiness || openGraph.isProduct;
  // Without markup or contact details it is no listing, whatever else is found.
  if (!isMarked && findPhone(text) === undefined && findEmail(text) === undefined) return [];
  // All pages of a site share their foot: it alone makes no listing of one among them.
  if (!isPlaced(markup, openGraph) && !isAboutPlace(text, openGraph)) return [];
  const structure = readStructure(text, {
    described,
    siteName: openGraph.siteName,
    ogTitle: openGraph.title,
  });
  if (chosen?.rank === 'product' || (chosen === undefined && openGraph.isProduct))
    return [{ layer: 'heuristic', fields: { description: structure.description } }];
  return [
    { layer: 'regex', fields: readPatterns(text, described) },
    { layer: 'heuristic', fields: structure },
  ];
}

/** Marked as a place or a product, or as an organization that is said to be somewhere. */
function isPlaced({ choice: { chosen }, layers }: Markup, openGraph: OpenGraph): boolean {
  if (openGraph.isBusiness || openGraph.isProduct) return true;
  if (chosen?.rank !== 'organization') return chosen !== undefined;
  return layers.some(({ fields: { phone, address } }) => (phone ?? address) !== undefined);
}

/** Whether a page that no markup places is its business's, by its address or content. */
function isAboutPlace(text: TextPage, { isUndatedArticle }: OpenGraph): boolean {
  if (isHomeOrContactPage(text.identity) || namesItsTown(text)) return true;
  return !isUndatedArticle && showsPlace(text);
}

const typesField = ({ types, typesPath }: JsonLdThings): LayerFields =>
  typesPath === undefined ? {} : { schema_markup_types: { value: types, path: typesPath } };

const ownAddress = ({ url, canonical }: PageIdentity): NonNullable<LayerFields['url']> =>
  canonical === undefined
    ? { value: url, path: 'page address' }
    : { value: canonical, path: 'link[rel="canonical"]' };

function present(merged: Merged): Listing {
  const values: Record<string, unknown> = {};
  const provenance: Record<string, FieldOrigin> = {};
  for (const [name, { layer, field }] of merged) {
    const found = field[name];
    if (found === undefined) continue;
    values[name] = found.value;
    provenance[name] = { layer, path: found.path };
    if (name !== 'review_count') continue;
    values.reviewCount = found.value;
    provenance.reviewCount = { layer, path: found.path };
  }
  const score = listingCompleteness(merged);
  return {
    ...values,
    _completeness: score,
    _confidence: score,
    _extraction_method: methodOf(merged),
    _provenance: provenance,
  };
}

/** Hundredths of `_completeness`: five core fields make 70, four bonus fields 30. */
const FIELD_WEIGHTS: Readonly<Partial<Record<FieldName, number>>> = {
  name: 20,
  phone: 15,
  address: 15,
  city: 10,
  state: 10,
  rating: 10,
  price_range: 5,
  description: 10,
  photo_urls: 5,
};

type ListingMethod = Listing['_extraction_method'];

const METHODS: Readonly<Record<FieldOrigin['layer'], ListingMethod>> = {
  'json-ld': 'json-ld',
  microdata: 'microdata',
  rdfa: 'microdata',
  'open-graph': 'regex-cascade',
  regex: 'regex-cascade',
  heuristic: 'heuristic',
};

/** Ties go to the better method. */
const METHOD_ORDER: readonly ListingMethod[] = [
  'json-ld',
  'microdata',
  'regex-cascade',
  'heuristic',
];

/** Weighted share of the core and bonus fields that were found, 0 to 1. */
function listingCompleteness(merged: Merged): number {
  let total = 0;
  for (const name of merged.keys()) total += FIELD_WEIGHTS[name] ?? 0;
  return total / 100;
}

/**
 * The method that gave most, by the same weights. Open Graph and patterns are one method, as the
 * specification's cascade has them.
 */
function methodOf(merged: Merged): ListingMethod {
  const shares = new Map<ListingMethod, number>();
  for (const [name, { layer }] of merged) {
    const method = METHODS[layer];
    shares.set(method, (shares.get(method) ?? 0) + (FIELD_WEIGHTS[name] ?? 0));
  }
  const most = Math.max(0, ...shares.values());
  return METHOD_ORDER.find((method) => shares.get(method) === most) ?? 'heuristic';
}
