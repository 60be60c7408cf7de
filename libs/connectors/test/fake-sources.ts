import type { ServerResponse } from 'node:http';
import { startLoopbackServer, type ProviderRequest } from '@app/testing';

/** The sources that one server plays, by the first part of their path. */
export const FAKE_SOURCES = [
  'partner',
  'jsonld',
  'microdata',
  'blocks',
  'overpass',
  'nominatim',
] as const;
export type FakeSource = (typeof FAKE_SOURCES)[number];

/** `nothing`: it found nothing. `many`: 5,000 businesses. `drift`: other markup or fields. A number: that HTTP status. */
export type SourceMode =
  'ok' | 'nothing' | 'many' | 'captcha' | 'drift' | 'garbage' | 'hang' | number;

export interface FakeBusiness {
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly phone: string;
  readonly rating?: number;
  readonly reviews?: number;
  readonly hours?: string;
  readonly website?: string;
}

export interface SeenRequest extends ProviderRequest {
  readonly source: FakeSource;
}

export interface FakeSources {
  readonly origin: string;
  readonly key: string;
  readonly modes: Record<FakeSource, SourceMode>;
  businesses: readonly FakeBusiness[];
  /** Served as robots.txt. */
  robots: string;
  readonly requests: SeenRequest[];
  /** The setting of each source, for a list of SCRAPER_MAPS and the others. */
  readonly settings: Readonly<Record<FakeSource, Readonly<Record<string, unknown>>>>;
  /** All work and have 25 businesses, and none was asked; robots.txt stays. */
  reset(): void;
  close(): Promise<void>;
}

const KEY = 'fake-partner-key';
const PAGE_SIZE = 10;
const MANY = 5_000;

export const businessesNamed = (count: number, prefix = 'Bakery'): readonly FakeBusiness[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `${prefix} ${at + 1} & Sons`,
    street: `${at + 1} Main Street`,
    city: 'Austin',
    phone: `(512) 555-${String(1000 + at).slice(-4)}`,
    ...(at % 2 === 0 ? { rating: 4.5, reviews: 1_234 + at } : {}),
    ...(at % 3 === 0 ? { hours: 'Mo-Fr 09:00-17:00; Sa 10:00-14:00' } : {}),
    ...(at % 4 === 0 ? { website: `https://shop-${at + 1}.example/` } : {}),
  }));

/** Directories of three markups, a partner's API, an Overpass and a Nominatim server on loopback. */
export async function startFakeSources(): Promise<FakeSources> {
  const modes = Object.fromEntries(FAKE_SOURCES.map((one) => [one, 'ok'])) as FakeSources['modes'];
  const state = { businesses: businessesNamed(25), robots: '' };
  const requests: SeenRequest[] = [];
  const { port, close } = await startLoopbackServer(async (request, response) =>
    respond(request, response, { modes, requests, state }),
  );
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    key: KEY,
    modes,
    requests,
    settings: settingsFor(origin),
    get robots() {
      return state.robots;
    },
    set robots(next) {
      state.robots = next;
    },
    get businesses() {
      return state.businesses;
    },
    set businesses(next) {
      state.businesses = next;
    },
    reset() {
      for (const name of FAKE_SOURCES) modes[name] = 'ok';
      state.businesses = businessesNamed(25);
      requests.length = 0;
    },
    close,
  };
}

function settingsFor(origin: string): FakeSources['settings'] {
  const query = 'find={query}&near={location}&page={page}';
  const html = (name: string) => ({
    kind: 'html',
    name,
    url: `${origin}/${name}?${query}`,
    none: '#none',
  });
  return {
    partner: {
      kind: 'api',
      name: 'partner',
      url: `${origin}/partner?term={query}&location={location}&limit={count}&offset={offset}`,
      key: KEY,
      headers: { authorization: 'Bearer {key}' },
      pageSize: PAGE_SIZE,
      costUsd: 0.01,
      results: '/data/items',
      fields: {
        name: '/title',
        address: '/place/lines',
        phone: '/tel',
        rating: '/score',
        review_count: '/votes',
        category: '/kinds',
        price_range: '/price',
        hours: '/open',
        is_open_now: '/isOpen',
        website: '/site',
        page: '/link',
      },
    },
    jsonld: html('jsonld'),
    microdata: html('microdata'),
    blocks: {
      ...html('blocks'),
      results: 'li.biz',
      fields: {
        name: 'h3 a',
        address: '.adr',
        phone: 'a.tel@href',
        rating: '.stars@aria-label',
        review_count: '.votes',
        category: '.cat',
        hours: '.hours',
        website: 'a.site@href',
        page: 'h3 a@href',
      },
    },
    overpass: {
      kind: 'overpass',
      url: `${origin}/overpass/api/interpreter`,
      nominatimUrl: `${origin}/nominatim`,
    },
    nominatim: { kind: 'nominatim', name: 'geocoder', url: `${origin}/nominatim` },
  };
}

interface Turn {
  readonly modes: FakeSources['modes'];
  readonly requests: SeenRequest[];
  readonly state: { readonly businesses: readonly FakeBusiness[]; readonly robots: string };
}

function respond(
  request: ProviderRequest,
  response: ServerResponse,
  { modes, requests, state }: Turn,
): void {
  const { path, headers } = request;
  if (path === '/robots.txt') return void response.end(state.robots);
  const source = FAKE_SOURCES.find((one) => path.startsWith(`/${one}`));
  if (source === undefined) return void response.writeHead(404).end();
  requests.push({ source, ...request });
  const mode = modes[source];
  if (mode === 'hang') return;
  if (typeof mode === 'number') return void response.writeHead(mode, { 'retry-after': '1' }).end();
  if (source === 'partner' && headers['authorization'] !== `Bearer ${KEY}`)
    return void response.writeHead(403).end();
  const isJson = ['partner', 'overpass', 'nominatim'].includes(source);
  const type = isJson && mode !== 'captcha' ? 'application/json' : 'text/html; charset=utf-8';
  response.writeHead(200, { 'content-type': type });
  const shown =
    mode === 'nothing'
      ? []
      : mode === 'many'
        ? businessesNamed(MANY, 'Many')
        : pageOf(path, state.businesses);
  response.end(bodyOf(source, mode, shown, path));
}

function pageOf(path: string, all: readonly FakeBusiness[]): readonly FakeBusiness[] {
  const params = new URL(path, 'http://fake').searchParams;
  const page = Number(params.get('page') ?? '1');
  const offset = Number(params.get('offset') ?? (page - 1) * PAGE_SIZE);
  return /^\/(?:overpass|nominatim)/.test(path) ? all : all.slice(offset, offset + PAGE_SIZE);
}

function bodyOf(
  source: FakeSource,
  mode: SourceMode,
  shown: readonly FakeBusiness[],
  path: string,
): string {
  if (mode === 'captcha')
    return '<!doctype html><form id="captcha-form" action="/sorry"><p>Unusual traffic</p></form>';
  if (mode === 'garbage') return '{"data": [';
  const isDrift = mode === 'drift';
  switch (source) {
    case 'partner':
      return partner(shown, isDrift);
    case 'overpass':
      return overpass(shown, isDrift);
    case 'nominatim':
      return nominatim(shown, isDrift, path);
    case 'jsonld':
    case 'microdata':
    case 'blocks':
      return page(source, shown, isDrift);
  }
}

function partner(shown: readonly FakeBusiness[], isDrift: boolean): string {
  const items = shown.map(({ name, street, city, phone, rating, reviews, hours, website }, at) => ({
    ...{ title: name, place: { lines: [street, `${city}, TX 78701`] }, tel: phone },
    ...{ score: rating, votes: reviews, kinds: [{ title: 'Bakeries' }, { title: 'Cafés' }] },
    ...{ price: '$$', open: hours, isOpen: at % 2 === 0, site: website },
    link: `https://partner.example/biz/${encodeURIComponent(name)}`,
  }));
  return JSON.stringify(isDrift ? { result: { list: items } } : { data: { items } });
}

function overpass(shown: readonly FakeBusiness[], isDrift: boolean): string {
  const elements = shown.map(({ name, street, city, phone, hours, website }, at) => ({
    ...{ type: at % 2 === 0 ? 'node' : 'way', id: 1_000 + at },
    tags: {
      ...{ name, shop: 'bakery', phone, opening_hours: hours, website, 'addr:city': city },
      ...{ 'addr:housenumber': street.split(' ')[0], 'addr:street': 'Main Street' },
      ...{ 'addr:state': 'TX', 'addr:postcode': '78701' },
    },
  }));
  return JSON.stringify(isDrift ? { nodes: elements } : { version: 0.6, elements });
}

function nominatim(shown: readonly FakeBusiness[], isDrift: boolean, path: string): string {
  const params = new URL(path, 'http://fake').searchParams;
  if (params.get('limit') === '1')
    return JSON.stringify(
      params.get('q')?.startsWith('Nowhere')
        ? []
        : [{ boundingbox: ['30.1', '30.5', '-97.9', '-97.5'] }],
    );
  const places = shown.map(({ name, phone, hours, website }, at) => ({
    ...{ osm_type: 'node', osm_id: 2_000 + at, name, category: 'shop', type: 'bakery' },
    address: { house_number: String(at + 1), road: 'Main Street', city: 'Austin', state: 'Texas' },
    extratags: { phone, opening_hours: hours, website },
  }));
  return JSON.stringify(isDrift ? { places } : places);
}

/** The number in the name, so that each page of a list names other ones. */
const pathOf = (name: string): string => `/biz/${/\d+/.exec(name)?.[0] ?? ''}`;

const text = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function page(source: FakeSource, shown: readonly FakeBusiness[], isDrift: boolean): string {
  const list =
    source === 'jsonld' ? jsonLd(shown) : shown.map(source === 'blocks' ? block : marked).join('');
  const none = shown.length === 0 && !isDrift ? '<p id="none">No businesses found.</p>' : '';
  const whole = `<!doctype html><html lang="en"><head><title>Directory</title></head><body><h1>Businesses</h1><ul>${list}</ul>${none}</body></html>`;
  return isDrift
    ? whole.replaceAll('class="biz"', 'class="row"').replaceAll(/LocalBusiness|Bakery"/g, 'Thing"')
    : whole;
}

function jsonLd(shown: readonly FakeBusiness[]): string {
  const items = shown.map(({ name, street, city, phone, rating, reviews, hours, website }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    item: {
      '@type': 'LocalBusiness',
      name,
      telephone: phone,
      url: pathOf(name),
      sameAs: website,
      openingHours: hours === undefined ? undefined : ['Mo-Fr 09:00-17:00', 'Sa 10:00-14:00'],
      address: {
        ...{ '@type': 'PostalAddress', streetAddress: street, addressLocality: city },
        ...{ addressRegion: 'TX', postalCode: '78701', addressCountry: 'US' },
      },
      ...(rating === undefined
        ? {}
        : {
            aggregateRating: {
              '@type': 'AggregateRating',
              ratingValue: rating,
              reviewCount: reviews,
            },
          }),
    },
  }));
  const list = { '@context': 'https://schema.org', '@type': 'ItemList', itemListElement: items };
  return shown.length === 0
    ? ''
    : `<script type="application/ld+json">${JSON.stringify(list)}</script>`;
}

function marked({ name, street, city, phone, rating, reviews }: FakeBusiness): string {
  const stars =
    rating === undefined
      ? ''
      : `<div itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating"><span itemprop="ratingValue">${rating}</span> (<span itemprop="reviewCount">${reviews}</span>)</div>`;
  return `<li itemscope itemtype="https://schema.org/LocalBusiness"><a itemprop="url" href="${pathOf(name)}"><span itemprop="name">${text(name)}</span></a><div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">${street}</span>, <span itemprop="addressLocality">${city}</span>, <span itemprop="addressRegion">TX</span></div><span itemprop="telephone">${phone}</span>${stars}</li>`;
}

function block({
  name,
  street,
  city,
  phone,
  rating,
  reviews,
  hours,
  website,
}: FakeBusiness): string {
  const stars =
    rating === undefined
      ? ''
      : `<span class="stars" aria-label="${rating} out of 5"></span><span class="votes">${reviews?.toLocaleString('en-US')} reviews</span>`;
  return `<li class="biz"><h3><a href="${pathOf(name)}?ref=list">${text(name)}</a></h3><p class="adr">${street}, ${city}, TX</p><a class="tel" href="tel:${phone}">Call</a>${stars}<span class="cat">Bakery</span><span class="cat">Café</span><span class="hours">${hours ?? ''}</span>${website === undefined ? '' : `<a class="site" href="${website}">Website</a>`}</li>`;
}
