import { type Element } from 'domhandler';
import { collapse } from '../../dom/walk.js';
import { type LayerFields, withoutGaps } from '../listing-values.js';
import { plainLine } from '../values/plain-text.js';
import { findAddress } from './find-address.js';
import { findAmenities } from './find-amenities.js';
import { findEmail } from './find-email.js';
import { findFacts } from './find-facts.js';
import { findHours } from './find-hours.js';
import { findName, type NameSources } from './find-name.js';
import { findPhone } from './find-phone.js';
import { findPictures } from './find-pictures.js';
import { findPosition } from './find-position.js';
import { findPrice } from './find-price.js';
import { findRating } from './find-rating.js';
import { findTown } from './find-town.js';
import { findWebsite } from './find-website.js';
import { type TextPage } from './text-page.js';

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
