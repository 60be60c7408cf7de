import { valueAtPointer } from '@app/egress';
import { parseAnswer, type PageReading } from '@app/search';
import { toBusiness, type Business } from '../businesses/business.js';
import { MAX_PAGE_BUSINESSES } from './business-page.js';

/** Required by the licence of the data (ODbL). */
export const OSM_ATTRIBUTION = '© OpenStreetMap contributors (ODbL)';

const UNREADABLE = { kind: 'unreadable', problem: 'the answer is no JSON' } as const;

/** Reads the JSON of an Overpass server. `remark` names an error, such as a timeout of the query. */
export function readOverpass(text: string): PageReading<Business> {
  const answer = parseAnswer(text);
  if (answer === null) return UNREADABLE;
  const elements = valueAtPointer(answer.json, '/elements');
  if (!Array.isArray(elements))
    return { kind: 'drift', problem: 'the answer has no list at /elements' };
  const results = elements.slice(0, MAX_PAGE_BUSINESSES).flatMap((one) => ofElement(one) ?? []);
  const remark = valueAtPointer(answer.json, '/remark');
  if (results.length === 0 && typeof remark === 'string')
    return { kind: 'incomplete', problem: 'Overpass ended the query early' };
  return { kind: 'results', results };
}

/** Reads the JSON of a Nominatim server (format jsonv2 with extratags). */
export function readNominatim(text: string): PageReading<Business> {
  const answer = parseAnswer(text);
  if (answer === null) return UNREADABLE;
  if (!Array.isArray(answer.json)) return { kind: 'drift', problem: 'the answer is no list' };
  const places: readonly unknown[] = answer.json;
  const results = places.slice(0, MAX_PAGE_BUSINESSES).flatMap((one) => ofPlace(one) ?? []);
  return { kind: 'results', results };
}

function ofElement(element: unknown): Business | null {
  const tags = new Tags(valueAtPointer(element, '/tags'));
  const place = [tags.of('addr:city', 'addr:town', 'addr:village'), tags.of('addr:postcode')];
  const street = [tags.of('addr:housenumber'), tags.of('addr:street', 'addr:place')];
  const address = [joined(street, ' '), joined([place[0], tags.of('addr:state')], ', '), place[1]];
  return business(tags, {
    name: tags.of('name', 'brand', 'operator'),
    address: joined(street, '') === '' ? undefined : joined(address, ', '),
    category: categoryOf(tags),
    type: valueAtPointer(element, '/type'),
    id: valueAtPointer(element, '/id'),
  });
}

function ofPlace(place: unknown): Business | null {
  const tags = new Tags(valueAtPointer(place, '/extratags'));
  const address = new Tags(valueAtPointer(place, '/address'));
  const street = joined([address.of('house_number'), address.of('road')], ' ');
  const town = joined([address.of('city', 'town', 'village'), address.of('state')], ', ');
  const category = valueAtPointer(place, '/type');
  return business(tags, {
    name: valueAtPointer(place, '/name'),
    address: street === '' ? undefined : joined([street, town, address.of('postcode')], ', '),
    category: typeof category === 'string' ? category.replaceAll('_', ' ') : undefined,
    type: valueAtPointer(place, '/osm_type'),
    id: valueAtPointer(place, '/osm_id'),
  });
}

interface Described {
  readonly name: unknown;
  readonly address: string | undefined;
  readonly category: string | undefined;
  readonly type: unknown;
  readonly id: unknown;
}

/** OpenStreetMap has no ratings and no reviews. */
function business(tags: Tags, { name, address, category, type, id }: Described): Business | null {
  return toBusiness({
    name,
    address,
    phone: tags.of('phone', 'contact:phone', 'contact:mobile')?.split(';')[0],
    category,
    hours: tags.of('opening_hours'),
    website: withScheme(tags.of('website', 'contact:website', 'url')),
    page: pageOf(type, id),
  });
}

function pageOf(type: unknown, id: unknown): string | undefined {
  const isKnown = type === 'node' || type === 'way' || type === 'relation';
  return isKnown && typeof id === 'number' && Number.isSafeInteger(id)
    ? `https://www.openstreetmap.org/${type}/${id}`
    : undefined;
}

function withScheme(address: string | undefined): string | undefined {
  if (address === undefined || /^https?:\/\//i.test(address)) return address;
  return /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(address) ? `https://${address}` : undefined;
}

const CATEGORY_KEYS = ['amenity', 'shop', 'craft', 'office', 'tourism', 'leisure', 'healthcare'];

function categoryOf(tags: Tags): string | undefined {
  const kind = CATEGORY_KEYS.map((key) => tags.of(key)).find(
    (value) => value !== undefined && value !== 'yes',
  );
  return kind?.replaceAll('_', ' ');
}

class Tags {
  constructor(private readonly tags: unknown) {}

  /** The value of the first key that has one. */
  of(...keys: readonly string[]): string | undefined {
    const values = keys.map((key) => valueAtPointer(this.tags, `/${key.replaceAll('/', '~1')}`));
    return values.find((value) => typeof value === 'string' && value !== '') as string | undefined;
  }
}

function joined(parts: readonly (string | undefined)[], separator: string): string {
  return parts.filter((part) => part !== undefined && part !== '').join(separator);
}
