import { type FieldOrigin } from '@app/contracts';
import { type Found, type LayerFields } from '../listing-values.js';
import { bareName, type Leaf, textsOf, type Thing, thingsOf, type ThingValue } from '../thing.js';
import { readAddressText } from '../values/address-text.js';
import { readEmail } from '../values/email.js';
import { readPosition } from '../values/numbers.js';
import { readPhone } from '../values/phone.js';
import { addressLine, type AddressParts, checkAddress } from '../values/postal-address.js';
import { knownCountry } from '../values/country.js';
import { mapPosition } from '../values/map-position.js';
import { type PageIdentity } from './page-identity.js';

type Path = FieldOrigin['path'];

/** Street, city, state, ZIP code and country of the first address that holds. */
export function readAddress(thing: Thing): LayerFields {
  for (const value of addressValues(thing)) {
    const fields = value.kind === 'leaf' ? fromText(value) : fromParts(value);
    if (Object.keys(fields).length > 0) return fields;
  }
  return {};
}

export function addressValues(thing: Thing): readonly ThingValue[] {
  const own = thing.valuesOf('address');
  const places = thingsOf(thing, 'location').flatMap((place) => place.valuesOf('address'));
  // Some write the parts of the address on the business itself.
  return [...own, ...places, ...(thing.valuesOf('streetAddress').length > 0 ? [thing] : [])];
}

function fromText({ text, path }: Leaf): LayerFields {
  const parts = readAddressText(addressLine(text));
  return parts === undefined ? {} : located(checkAddress(parts), () => path);
}

const PARTS = {
  address: 'streetAddress',
  city: 'addressLocality',
  state: 'addressRegion',
  zip: 'postalCode',
  country: 'addressCountry',
} as const;

function fromParts(address: Thing): LayerFields {
  const leaf = (name: string): Leaf | undefined =>
    textsOf(address, name).find(({ text }) => text.trim() !== '') ??
    thingsOf(address, name).flatMap((part) => textsOf(part, 'name', 'identifier'))[0];
  const found = {
    address: streetOf(address),
    city: leaf(PARTS.city),
    state: leaf(PARTS.state),
    zip: leaf(PARTS.zip),
    country: leaf(PARTS.country),
  };
  const raw = Object.fromEntries(
    Object.entries(found).map(([name, part]) => [name, part?.text]),
  ) as AddressParts;
  return located(checkAddress(raw), (name) => found[name]?.path ?? address.path);
}

/** Several street values are lines of one address. */
function streetOf(address: Thing): Leaf | undefined {
  const lines = textsOf(address, 'streetAddress').filter(({ text }) => text.trim() !== '');
  const [first] = lines;
  if (first === undefined) return undefined;
  const text = lines
    .slice(0, 4)
    .map((line) => line.text)
    .join('\n');
  return { kind: 'leaf', text, path: first.path };
}

function located(parts: AddressParts, pathOf: (name: keyof AddressParts) => Path): LayerFields {
  const names = ['address', 'city', 'state', 'zip', 'country'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = parts[name];
      return value === undefined ? [] : [[name, { value, path: pathOf(name) }]];
    }),
  );
}

/** Own numbers before those of contact points. */
export function readPhoneOf(
  thing: Thing,
  country: string | undefined,
  page: PageIdentity,
): Found<string> | undefined {
  const points = contactPoints(thing).flatMap((point) => textsOf(point, 'telephone'));
  for (const { text, path } of [...textsOf(thing, 'telephone', 'phone'), ...points]) {
    const home = country === undefined ? page.country : (knownCountry(country) ?? page.country);
    const value = readPhone(text, home);
    if (value !== undefined) return { value, path };
  }
  return undefined;
}

export function readEmailOf(thing: Thing): Found<string> | undefined {
  const points = contactPoints(thing).flatMap((point) => textsOf(point, 'email'));
  for (const { text, path } of [...textsOf(thing, 'email'), ...points]) {
    const value = readEmail(text);
    if (value !== undefined) return { value, path };
  }
  return undefined;
}

const contactPoints = (thing: Thing): readonly Thing[] =>
  thingsOf(thing, 'contactPoint').filter((point) => {
    const kind = textsOf(point, 'contactType')[0]?.text ?? '';
    return !/fax|press|job|career|tdd|tty/i.test(bareName(kind));
  });

/** Coordinates of the thing, of its place, or of its map link. */
export function readGeo(thing: Thing): LayerFields {
  const places = [...thingsOf(thing, 'geo'), thing, ...thingsOf(thing, 'location')];
  const inner = thingsOf(thing, 'location').flatMap((place) => thingsOf(place, 'geo'));
  for (const place of [...places, ...inner]) {
    const [lat] = textsOf(place, 'latitude');
    const [lng] = textsOf(place, 'longitude');
    const position = lat && lng && readPosition(lat.text, lng.text);
    if (lat && lng && position)
      return {
        lat: { value: position.lat, path: lat.path },
        lng: { value: position.lng, path: lng.path },
      };
  }
  return fromMap(thing);
}

function fromMap(thing: Thing): LayerFields {
  for (const { text, path } of [
    ...textsOf(thing, 'hasMap', 'map', 'maps'),
    ...textsOf(thing, 'geo'),
  ]) {
    const position = mapPosition(text);
    if (position !== undefined)
      return { lat: { value: position.lat, path }, lng: { value: position.lng, path } };
  }
  return {};
}
