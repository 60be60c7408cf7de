import { firstFound, type Found, type LayerFields, withoutGaps } from '../listing-values.js';
import { textsOf, type Thing } from '../thing.js';
import { plainLine } from '../values/plain-text.js';
import { isFrontPage, readAddressOfSite, samePage } from '../values/web-address.js';
import { readSchemaHours } from '../hours/schema-hours.js';
import { type ChosenEntity } from './choose-entity.js';
import { type PageIdentity } from './page-identity.js';
import { readAddress, readEmailOf, readGeo, readPhoneOf } from './read-contact.js';
import {
  readAmenities,
  readCapacity,
  readFounded,
  readLicense,
  readPhotos,
  readPrices,
  readRatingOf,
} from './read-offer.js';

/** All fields of the chosen thing; what it lacks, from other nodes about the same business. */
export function readEntity(chosen: ChosenEntity, page: PageIdentity): LayerFields {
  return [chosen.thing, ...chosen.supplements].reduceRight<LayerFields>(
    (rest, thing) => ({ ...rest, ...readThing(thing, page) }),
    {},
  );
}

function readThing(thing: Thing, page: PageIdentity): LayerFields {
  const address = readAddress(thing);
  return withoutGaps({
    name: textOf(thing, ['name', 'legalName'], 200),
    description: textOf(thing, ['description', 'disambiguatingDescription']),
    ...address,
    phone: readPhoneOf(thing, address.country?.value, page),
    email: readEmailOf(thing),
    website: readWebsite(thing, page),
    ...readGeo(thing),
    ...readRatingOf(thing),
    ...readPrices(thing),
    hours: readSchemaHours(thing),
    amenities: readAmenities(thing),
    ...readPhotos(thing, page.resolver),
    license_number: readLicense(thing),
    capacity: readCapacity(thing),
    founded_year: readFounded(thing),
  });
}

const textOf = (
  thing: Thing,
  names: readonly string[],
  maxChars?: number,
): Found<string> | undefined =>
  names
    .map((name) => firstFound(textsOf(thing, name), ({ text }) => plainLine(text, maxChars)))
    .find((found) => found !== undefined);

/** The thing's own address, unless that is only this page, which `url` says already. */
function readWebsite(thing: Thing, page: PageIdentity): Found<string> | undefined {
  return firstFound(textsOf(thing, 'url', 'website'), ({ text }) => {
    const address = readAddressOfSite(text, page.resolver);
    if (address === undefined) return undefined;
    return samePage(address, page.url) && !isFrontPage(address) ? undefined : address;
  });
}
