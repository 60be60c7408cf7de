import { type EntityChoice } from './entity/choose-entity.js';
import { nameLetters, type PageIdentity } from './entity/page-identity.js';
import { type FieldName } from './listing-values.js';
import { type Merged } from './merge-layers.js';
import { type PageLine } from './page-text/page-line.js';
import { isHomeOrContactPage } from './own-page.js';
import { isFrontPage } from './values/web-address.js';

/** What each fact about a place says for a page being its listing. */
const EVIDENCE: Readonly<Partial<Record<FieldName, number>>> = {
  phone: 1,
  address: 2,
  city: 1,
  hours: 1,
  lat: 1,
  rating: 1,
  email: 1,
  license_number: 1,
};

/** Facts an unmarked page must show: ways to reach a place, or a way and when. */
const UNMARKED_EVIDENCE = 3;
const ORGANIZATION_EVIDENCE = 2;

/** A line of prose, and how much of it makes an article. */
const PROSE_LINE_CHARS = 150;
const MAX_PROSE_CHARS = 4_000;

const CONTACT_PATH =
  /(?:contact|locations?|visit|find-us|hours|about|directions|stores?|kontakt|impressum)/i;
const ARTICLE_PATH =
  /\/(?:(?:[a-z]+-)?(?:blogs?|news|articles?|guides?|stories)|posts?|press|news-?room|recipes?|wiki|docs?|forums?|t|threads?|topics?|questions?|discussions?|jobs?|search|learning-center|knowledge-(?:center|base))(?:\/|$)|\/(?:19|20)\d{2}\/[a-z\d]{1,9}\//i;
/** Pages that every site has and that describe no business. Forms and policies end the path. */
const SITE_PAGE_PATH =
  /\/(?:(?:privacy|terms)(?:[-_][a-z_-]{1,40})?|(?:cookies?|refunds?|returns?|shipping)[-_](?:policy|notice)|legal|disclaimer|datenschutz(?:erklaerung)?|agb|cart|basket|checkout|log-?in|sign-?(?:in|up)|register|(?:my-?)?account|forgot-password|404|not-found)(?:\.[a-z]{2,5})?\/?$|\/careers?(?:\/|$)/i;
const ARTICLE_HOST =
  /^(?:forum|forums|community|docs|blog|news|jobs|support|help|wiki|\w\w\.wikipedia)\./i;

/** What is known before anything is read from the text. */
export interface MarkedEvidence {
  readonly page: PageIdentity;
  /** The choice of the best markup that named something. */
  readonly choice: EntityChoice;
  readonly isOpenGraphBusiness: boolean;
  readonly isArticle: boolean;
  /** Only its Open Graph type says article. */
  readonly isUndatedArticle: boolean;
}

export interface ListingEvidence extends MarkedEvidence {
  readonly merged: Merged;
  readonly lines: readonly PageLine[];
}

/**
 * Whether the page is about one business (or product). It is not when its markup says article,
 * recipe or a list of several, unless it is the front or contact page of a marked business; not
 * without a name; and not without facts: one for a marked business, a phone or street for an
 * organization, several for a page without markup.
 */
export function isListing(evidence: ListingEvidence): boolean {
  const { merged, choice, isOpenGraphBusiness } = evidence;
  if (!merged.has('name') || isRuledOut(evidence)) return false;
  const points = pointsOf(merged);
  switch (choice.chosen?.rank) {
    case 'business':
      return points >= 1;
    case 'product':
      return merged.has('rating') || merged.has('price_min') || merged.has('price_range');
    case 'organization':
      return (
        points >= ORGANIZATION_EVIDENCE &&
        (merged.has('phone') || merged.has('address')) &&
        !isProseOrList(evidence)
      );
    case undefined:
      return isOpenGraphBusiness ? points >= 1 : isUnmarkedListing(evidence, points);
  }
}

/** No text can make it a listing: spares the search in articles, which most pages are. */
export function isRuledOut(evidence: MarkedEvidence): boolean {
  const { choice, isArticle, page } = evidence;
  if (choice.isList) return true;
  if ((choice.isOtherSubject || isArticle) && !isHomeOfBusiness(evidence)) return true;
  if (choice.chosen?.rank === 'product') return false;
  if (isArticleByType(evidence)) return true;
  return isArticleAddress(page.url) && !isHomeOfBusiness(evidence);
}

/** An organization is the publisher of what calls itself an article, but for its own pages. */
function isArticleByType({ isUndatedArticle, choice, page }: MarkedEvidence): boolean {
  return isUndatedArticle && choice.chosen?.rank === 'organization' && !isHomeOrContactPage(page);
}

function pointsOf(merged: Merged): number {
  let points = 0;
  for (const name of merged.keys()) points += EVIDENCE[name] ?? 0;
  return points;
}

function isUnmarkedListing(evidence: ListingEvidence, points: number): boolean {
  const { merged } = evidence;
  const canBeReached = merged.has('phone') || merged.has('email');
  const hasPlace = merged.has('address') || merged.has('hours') || merged.has('city');
  return points >= UNMARKED_EVIDENCE && canBeReached && hasPlace && !isProseOrList(evidence);
}

function isArticleAddress(address: string): boolean {
  const url = URL.parse(address);
  const path = url?.pathname ?? '';
  return (
    ARTICLE_PATH.test(path) || SITE_PAGE_PATH.test(path) || ARTICLE_HOST.test(url?.hostname ?? '')
  );
}

/**
 * Pages without markup of a business carry its address in their footer whatever they are about:
 * long prose is an article, unless it is on the front or contact page.
 */
function isProseOrList({ page, lines }: ListingEvidence): boolean {
  if (showsManyPlaces(lines)) return true;
  if (isFrontPage(page.url) || CONTACT_PATH.test(URL.parse(page.url)?.pathname ?? '')) return false;
  let prose = 0;
  for (const { text, region } of lines)
    if (region === 'body' && text.length >= PROSE_LINE_CHARS) prose += text.length;
  return prose >= MAX_PROSE_CHARS;
}

/** The page of the business itself, whatever else its markup mentions. */
function isHomeOfBusiness({ choice: { chosen }, page }: MarkedEvidence): boolean {
  if (chosen?.rank !== 'business') return false;
  const path = URL.parse(page.url)?.pathname ?? '';
  return (
    isFrontPage(page.url) ||
    nameLetters(page.h1) === nameLetters(chosen.name) ||
    CONTACT_PATH.test(path)
  );
}

const PHONE = /\(?\b[2-9]\d{2}\)?[\s.-]{1,2}\d{3}[\s.-]\d{4}\b/;
const STATE_AND_ZIP = /\b[A-Z]{2}\s\d{5}\b/;
/** A business of three branches still has a page; a list of results has more. */
const MANY = 3;

function showsManyPlaces(lines: readonly PageLine[]): boolean {
  const phones = new Set<string>();
  const places = new Set<string>();
  lines.forEach(({ text, region }, index) => {
    if (region !== 'body') return;
    const phone = PHONE.exec(text.slice(0, 300))?.[0];
    if (phone !== undefined) phones.add(phone.replace(/\D/g, ''));
    // With the street, which may be in the line before.
    if (STATE_AND_ZIP.test(text.slice(0, 300)))
      places.add(`${lines[index - 1]?.text.slice(0, 60) ?? ''} ${text.slice(0, 120)}`);
  });
  return phones.size >= MANY && places.size >= MANY;
}
