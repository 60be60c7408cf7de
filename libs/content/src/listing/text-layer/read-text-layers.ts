import type { Element } from 'domhandler';
import { collapse } from '../../dom/walk.js';
import { withoutGaps, type LayerFields, type Found } from '../listing-values.js';
import { plainLine } from '../values/plain-text.js';
import { findAddress } from './find-address.js';
import { findAmenities } from './find-amenities.js';
import { findEmail } from './find-email.js';
import { findHours } from './find-hours.js';
import { findName, type NameSources } from './find-name.js';
import { findPhone } from './find-phone.js';
import { findPictures } from './find-pictures.js';
import { findPosition } from './find-position.js';
import { findPrice } from './find-price.js';
import { findRating } from './find-rating.js';
import { findTown } from './find-town.js';
import { findWebsite } from './find-website.js';
import { ownLines, type TextPage } from './text-page.js';
import type { PageLine } from '../page-text/page-line.js';
import { selectorOf } from '../page-text/selector-of.js';
import { readCount, readYear } from '../values/numbers.js';

/** What patterns find in the text and the links of a page. */
export function readPatterns(page: TextPage, described: readonly Element[]): LayerFields {
  return withoutGaps({
    ...findAddress(page),
    phone: findPhone(page),
    email: findEmail(page),
    ...findPosition(page, described),
    ...findRating(page),
    ...findPrice(page),
    hours: findHours(page),
    ...findFacts(page),
  });
}

/** Fields from the structure of a page: its headings, logo, lists, pictures and meta elements. */
export function readStructure(page: TextPage, sources: NameSources): LayerFields {
  return withoutGaps({
    name: findName(page, sources),
    description: metaDescription(sources.described),
    ...findTown(page),
    website: page.isDirectory ? findWebsite(page) : undefined,
    amenities: findAmenities(page),
    ...findPictures(page),
  });
}

function metaDescription(described: readonly Element[]): LayerFields['description'] {
  for (const { name, attribs } of described) {
    if (name !== 'meta' || !/^description$/i.test((attribs.name ?? '').trim())) continue;
    const value = plainLine(collapse(attribs.content ?? ''));
    if (value !== undefined) return { value, path: 'meta[name="description"]' };
  }
  return undefined;
}

interface Pattern {
  readonly find: RegExp;
  /** A line that says this is about something else. */
  readonly unless?: RegExp;
}

const LICENSE: readonly Pattern[] = [
  {
    find: /\b(?:lic(?:en[cs]ed?)?|licen[cs]es|cslb|ccb)\b\.?\s{0,2}(?:(?:no|num|number|nr)\b\.?|#)?\s{0,2}[:#]{0,2}\s{0,2}#?\s{0,2}([A-Z]{0,6}[\s-]{0,1}\d[A-Z\d-]{2,14}[A-Z\d])/i,
    unless: /driver'?s licen|creative commons|licensed under|mit license|license plate/i,
  },
];

/**
 * Before `since`, which also says how long a customer has come. Halls, branches and exhibitions are opened, too: only a
 * business that speaks of itself counts.
 */
const FOUNDED: readonly Pattern[] = [
  {
    find: /\b(?:est(?:ablished|d|\.)?|founded|(?<=^(?:first )?|\bwe (?:first )?)opened|opened (?:our|its|their) doors|incorporated|gegründet|fondée?)(?:\s(?:in|back in|en|im jahre?))?\.?:?\s(?:in\s)?((?:1[5-9]|20)\d{2})\b/i,
  },
  {
    find: /\b(?:since|seit|depuis|desde)\s((?:1[5-9]|20)\d{2})\b/i,
    unless:
      /\b(?:member|customer|client|patient|user|reviewer|going|coming|copyright|them|guest|elite)s?\b.{0,20}since|\bI\b|\bI'|RFC|last updated/i,
  },
];

const CAPACITY: readonly Pattern[] = [
  {
    find: /\b(?:capacity|seating capacity|max(?:imum)? (?:capacity|guests|occupancy)|occupancy|guest capacity)\s?(?:of|for|is|:)?\s?(?:up to\s)?(\d{1,3}(?:,\d{3})?|\d{1,5})\b/i,
  },
  {
    find: /\b(?:seats|seating for|accommodates?|accommodating|sleeps|holds)\s(?:up to\s)?(\d{1,3}(?:,\d{3})?|\d{1,5})\b(?!\s?(?:%|sq|miles|am|pm|:))/i,
  },
  {
    find: /\bup to (\d{1,3}(?:,\d{3})?|\d{1,5}) (?:guests|people|persons|attendees|seated guests|residents)\b/i,
    unless: /%|off\b/,
  },
  {
    find: /\b(\d{1,4})(?:\s|-)(?:guest\s?|hotel\s)?(?:rooms|room\b(?! \d)|beds?|bed licensed|units|suites)\b/i,
    unless: /bedroom|from \$|per room/i,
  },
];

/** Labels whose value is a number in the next cell or line. */
const CAPACITY_LABEL =
  /^(?:(?:number of|total|certified|licensed|guest|hotel|max(?:imum)?) )?(?:rooms|beds|guest rooms|capacity|occupancy|guests|seats|seating capacity|licensed capacity)\s?:?$/i;
const MAX_LINE_CHARS = 400;

/** Licence number, year of foundation and capacity, as sentences and labels say them. */
function findFacts(page: TextPage): LayerFields {
  const lines = ownLines(page).filter(
    ({ text }) => text.length <= MAX_LINE_CHARS && /\d{2}|\d/.test(text),
  );
  return {
    license_number: find(lines, LICENSE, readLicense),
    founded_year: find(lines, FOUNDED, readYear),
    capacity: find(lines, CAPACITY, readCount) ?? labelledCapacity(ownLines(page)),
  };
}

function find<T>(
  lines: readonly PageLine[],
  patterns: readonly Pattern[],
  read: (text: string) => T | undefined,
): Found<T> | undefined {
  for (const pattern of patterns) {
    for (const { text, element } of lines) {
      const found = pattern.find.exec(text)?.[1];
      if (found === undefined || pattern.unless?.test(text) === true) continue;
      const value = read(found);
      if (value !== undefined) return { value, path: selectorOf(element) };
    }
  }
  return undefined;
}

function labelledCapacity(lines: readonly PageLine[]): Found<number> | undefined {
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    const [label = '', inRow] = line?.text.split('\t') ?? [];
    if (line === undefined || !CAPACITY_LABEL.test(label.slice(0, 40))) continue;
    const text = inRow ?? lines[index + 1]?.text ?? '';
    const value = /^\d{1,5}(?:,\d{3})?$/.test(text) ? readCount(text) : undefined;
    if (value !== undefined) return { value, path: selectorOf(line.element) };
  }
  return undefined;
}

/** A number of at least three digits that is no telephone number and no date. */
function readLicense(text: string): string | undefined {
  const number = text.trim().replace(/(?<![\s-])[\s-]+$/, '');
  const digits = number.replace(/\D/g, '');
  if (digits.length < 3 || /^\d{3}-\d{3}-\d{4}$/.test(number)) return undefined;
  return number;
}
