import {
  collapse,
  matchAny,
  readablePage,
  readMarkedListings,
  siteOf,
  StepCounter,
  textOf,
  walk,
  type MarkedListing,
  type Match,
  type ReadablePage,
} from '@app/content';
import { hasChallenge, type PageReading } from '@app/search';
import {
  BUSINESS_FIELDS,
  toBusiness,
  businessUrl,
  statedBusiness,
  type Business,
  type BusinessField,
  type RawBusiness,
} from '../businesses/business.js';
import type { BusinessShape } from './business-page.js';
import { selectorOfPart } from './part-selector.js';

type HtmlShape = Extract<BusinessShape, { kind: 'business_html' }>;
type Element = Parameters<Match>[0];

/** Directories show at most 100 on a page. */
const MAX_BLOCKS = 500;
const MAX_PART_CHARS = 8_000;

/**
 * Reads the businesses that a page of a directory lists: from its schema.org markup, what that lacks from its blocks by
 * their selectors. Never throws on any page.
 */
export function readHtmlBusinesses(
  html: string,
  url: string,
  shape: HtmlShape,
): PageReading<Business> {
  const page = readablePage(html, url);
  try {
    return readPage(page, new BlockSelectors(shape));
  } catch (error) {
    if (error instanceof Error && error.name === 'SelectorWorkError')
      return { kind: 'unreadable', problem: 'the page is too large for its selectors' };
    throw error;
  }
}

class BlockSelectors {
  private readonly steps = new StepCounter();
  readonly block: Match | null;
  readonly none: Match;
  readonly parts: readonly {
    readonly field: BusinessField;
    readonly match: Match;
    readonly attribute: string | null;
  }[];

  constructor({ results, fields, none }: HtmlShape) {
    const match = (selector: string): Match => matchAny([selector], this.steps);
    this.block = results === null ? null : match(results);
    this.none = match(none);
    this.parts = BUSINESS_FIELDS.flatMap((field) => {
      const place = fields[field];
      if (place === undefined) return [];
      const { selector, attribute } = selectorOfPart(place);
      return [{ field, match: match(selector), attribute }];
    });
  }
}

function readPage(page: ReadablePage, selectors: BlockSelectors): PageReading<Business> {
  const { blocks, saysNone } = survey(page, selectors);
  const shown = blocks.flatMap((block) => readBlock(block, page, selectors) ?? []);
  const marked = readMarkedListings(page, MAX_BLOCKS).map((one) => markedBusiness(one, page.url));
  const results = marked.length > 0 ? completed(marked, shown) : shown;
  if (results.length > 0) return { kind: 'results', results };
  if (blocks.length > 0)
    return { kind: 'drift', problem: 'the page has blocks of businesses, but none with a name' };
  if (saysNone) return { kind: 'results', results: [] };
  if (hasChallenge(page.parsed.document)) return { kind: 'wall', problem: 'the page is a captcha' };
  return {
    kind: 'drift',
    problem: 'the page lists no business, and does not say that nothing was found',
  };
}

function survey(
  { parsed }: ReadablePage,
  { block, none }: BlockSelectors,
): { readonly blocks: readonly Element[]; readonly saysNone: boolean } {
  const blocks: Element[] = [];
  let saysNone = false;
  walk(parsed.document, {
    text: () => undefined,
    enter: (element) => {
      saysNone ||= none(element);
      if (block === null || !block(element)) return true;
      if (blocks.length < MAX_BLOCKS) blocks.push(element);
      return false;
    },
  });
  return { blocks, saysNone };
}

function readBlock(
  block: Element,
  { resolver, url }: ReadablePage,
  { parts }: BlockSelectors,
): Business | null {
  const raw: Partial<Record<BusinessField, unknown>> = {};
  walk(block, {
    text: () => undefined,
    enter: (element) => {
      for (const { field, match, attribute } of parts) {
        const isOpen = raw[field] === undefined || field === 'category';
        if (isOpen && match(element)) addPart(raw, field, partOf(element, attribute));
      }
      return true;
    },
  });
  return toBusiness(raw as RawBusiness, resolver.resolveWeb('.') ?? url);
}

/** A business has several categories, each in an element. */
function addPart(
  raw: Partial<Record<BusinessField, unknown>>,
  field: BusinessField,
  value: string,
): void {
  if (field !== 'category') raw[field] = value;
  else raw.category = [...(Array.isArray(raw.category) ? raw.category : []), value].slice(0, 20);
}

function partOf(element: Element, attribute: string | null): string {
  if (attribute !== null) return (element.attribs[attribute] ?? '').slice(0, MAX_PART_CHARS);
  const isLink = element.name === 'a' && element.attribs['href']?.startsWith('tel:');
  return (
    collapse(textOf(element, MAX_PART_CHARS)) || (isLink ? (element.attribs['href'] ?? '') : '')
  );
}

/** In the markup of a list, `url` is mostly the directory's page about the business. */
function markedBusiness({ values, page, categories }: MarkedListing, pageUrl: string): Business {
  const site = siteOf(pageUrl);
  const isOwn = (address: string | undefined): boolean =>
    address !== undefined && siteOf(address) !== site;
  const { address, city, state, zip } = values;
  const town = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const isComplete = city !== undefined && address?.includes(city);
  const whole = isComplete ? address : [address, town].filter(Boolean).join(', ');
  return statedBusiness({
    name: values.name ?? '',
    address: whole === '' ? undefined : whole,
    phone: values.phone,
    rating: values.rating,
    reviewCount: values.review_count,
    categories: categories.length > 0 ? categories : undefined,
    priceRange: values.price_range,
    hours: values.hours,
    isOpenNow: undefined,
    website: [values.website, page].find(isOwn),
    page: page !== undefined && !isOwn(page) ? businessUrl(page) : undefined,
  });
}

/** Marked businesses, with what only their blocks show. */
function completed(marked: readonly Business[], shown: readonly Business[]): readonly Business[] {
  const byName = new Map(shown.map((one) => [one.name.toLowerCase(), one]));
  return marked.map((one) => ({ ...byName.get(one.name.toLowerCase()), ...one }));
}
