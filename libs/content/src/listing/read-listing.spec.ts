import { readablePage } from '../readable-page.js';
import { readListing, readListingWithCuts } from './read-listing.js';

const URL_OF_PAGE = 'https://joesdiner.com/';

const read = (html: string, url = URL_OF_PAGE) => readListing(readablePage(html, url));

const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

const DINER = {
  '@context': 'https://schema.org',
  '@type': 'Restaurant',
  name: "Joe's Diner",
  telephone: '(312) 555-0142',
  address: {
    streetAddress: '9 Elm St',
    addressLocality: 'Troy',
    addressRegion: 'New York',
    postalCode: '12180',
    addressCountry: 'US',
  },
};

describe('readListing', () => {
  it('returns the wire form with scores, method and the origin of each field', () => {
    expect(read(jsonLd(DINER))).toEqual({
      name: "Joe's Diner",
      address: '9 Elm St',
      city: 'Troy',
      state: 'NY',
      zip: '12180',
      country: 'US',
      phone: '(312) 555-0142',
      url: URL_OF_PAGE,
      schema_markup_types: ['Restaurant'],
      _completeness: 0.7,
      _confidence: 0.7,
      _extraction_method: 'json-ld',
      _provenance: {
        name: { layer: 'json-ld', path: '$[0].name' },
        address: { layer: 'json-ld', path: '$[0].address.streetAddress' },
        city: { layer: 'json-ld', path: '$[0].address.addressLocality' },
        state: { layer: 'json-ld', path: '$[0].address.addressRegion' },
        zip: { layer: 'json-ld', path: '$[0].address.postalCode' },
        country: { layer: 'json-ld', path: '$[0].address.addressCountry' },
        phone: { layer: 'json-ld', path: '$[0].telephone' },
        url: { layer: 'heuristic', path: 'page address' },
        schema_markup_types: { layer: 'json-ld', path: '$[0].@type' },
      },
    });
  });

  const raw = (address: string): string =>
    `<script type="application/ld+json">${JSON.stringify({ ...DINER, address: '?' }).replace('"?"', address)}</script>`;
  const parts = (street: string, city = 'Troy'): string =>
    `{"streetAddress":"${street}","addressLocality":"${city}","addressRegion":"NY","postalCode":"12180"}`;

  it.each<[string, string, string, string]>([
    [
      'that wraps the street',
      parts('401 South Boston\n      Avenue'),
      '401 South Boston Avenue',
      'Troy',
    ],
    ['behind the number', parts('401\r\nSouth Boston Ave'), '401 South Boston Ave', 'Troy'],
    ['before the number', parts('South Boston Ave\n401'), 'South Boston Ave 401', 'Troy'],
    [
      'before the unit',
      parts('401 S Boston Ave,\nSuite 500'),
      '401 S Boston Ave, Suite 500',
      'Troy',
    ],
    ['below the name of a house', parts('Elm House\n9 Elm St'), 'Elm House, 9 Elm St', 'Troy'],
    ['of Unicode', parts('9 Elm St\u2028Suite 5\u0085'), '9 Elm St, Suite 5', 'Troy'],
    ['behind a backslash', parts('9 Elm St\\\nSuite 5'), '9 Elm St, Suite 5', 'Troy'],
    ['in the city', parts('9 Elm St', 'New\nHartford'), '9 Elm St', 'New Hartford'],
    [
      'in an address of one text',
      '"9 Elm St,\nSuite 5\nTroy, NY\n12180"',
      '9 Elm St, Suite 5',
      'Troy',
    ],
  ])('keeps an address with a raw line break whole: %s', (_, address, street, city) => {
    expect(read(raw(address))).toMatchObject({ address: street, city, state: 'NY', zip: '12180' });
  });

  it('has an origin for every field and no others', () => {
    const listing =
      read(`${jsonLd({ ...DINER, aggregateRating: { ratingValue: 4, reviewCount: 7 } })}
      <p>Open Mon-Fri 9am-5pm. Since 1987.</p>`);
    const fields = Object.keys(listing ?? {}).filter((name) => !name.startsWith('_'));
    expect(Object.keys(listing?._provenance ?? {})).toEqual(fields);
    expect(listing).toMatchObject({ review_count: 7, reviewCount: 7, founded_year: 1987 });
  });

  it.each([
    ['We opened in 1987, on Main Street.', 1987],
    ['First opened in 1987', 1987],
    ['The diner opened its doors in 1987.', 1987],
    ['The diner was founded in 1987.', 1987],
    ['The turbine hall was opened in 1931.', undefined],
    ['The hall was first opened in 1931.', undefined],
    ['Our second branch opened in 2011.', undefined],
  ])('reads the year of foundation of %j as %p', (sentence, year) => {
    expect(read(`${jsonLd(DINER)}<p>${sentence}</p>`)?.founded_year).toBe(year);
  });

  it('prefers markup to what the page shows', () => {
    expect(read(`${jsonLd(DINER)}<a href="tel:3125550999">(312) 555-0999</a>`)?.phone).toBe(
      '(312) 555-0142',
    );
  });

  it('uses the next layer where markup is absurd', () => {
    const listing = read(`${jsonLd({ ...DINER, telephone: 'N/A' })}
      <a href="tel:3125550999">(312) 555-0999</a>`);
    expect(listing?.phone).toBe('(312) 555-0999');
    expect(listing?._provenance.phone).toEqual({ layer: 'regex', path: 'a' });
  });

  it('does not complete an address with that of another town', () => {
    const { streetAddress: _, postalCode: __, ...town } = DINER.address;
    const html = `${jsonLd({ ...DINER, address: town })}<address>1 Oak St, Utica, NY 13501</address>`;
    expect(read(html)).toMatchObject({ city: 'Troy', state: 'NY' });
    expect(read(html)).not.toHaveProperty('address');
    expect(read(html)).not.toHaveProperty('zip');
  });

  it('follows references between nodes, and circles of them', () => {
    const listing = read(
      jsonLd({
        '@graph': [
          {
            '@type': 'Restaurant',
            '@id': '#r',
            name: 'R',
            telephone: '312-555-0142',
            address: { '@id': '#a' },
            parentOrganization: { '@id': '#r' },
          },
          {
            '@type': 'PostalAddress',
            '@id': '#a',
            addressLocality: 'Troy',
            addressRegion: 'NY',
            containedIn: { '@id': '#r' },
          },
        ],
      }),
    );
    expect(listing).toMatchObject({ name: 'R', city: 'Troy', state: 'NY' });
    expect(listing?._provenance.city?.path).toBe('$[0].@graph[1].addressLocality');
  });

  it('reports the method that found most', () => {
    const shown = `<title>Elm Diner</title><h1>Elm Diner</h1><p>9 Elm St, Troy, NY 12180</p><p>(312) 555-0142</p>`;
    expect(read(shown)?._extraction_method).toBe('regex-cascade');
    const marked = `<div itemscope itemtype="https://schema.org/Restaurant"><b itemprop="name">Elm</b><i itemprop="telephone">312-555-0142</i></div>`;
    expect(read(marked)?._extraction_method).toBe('microdata');
  });

  it.each([
    ['nothing', ''],
    ['a title alone', "<title>Joe's</title><h1>Joe's</h1>"],
    ['a phone alone', "<h1>Joe's</h1><p>(312) 555-0142</p>"],
    [
      'an organization without contact',
      jsonLd({ '@type': 'Organization', name: 'X', logo: '/l.png' }),
    ],
    [
      'an article and its publisher',
      jsonLd([
        { '@type': 'NewsArticle', headline: 'H' },
        { ...DINER, '@type': 'Organization' },
      ]),
    ],
    ['a marked business of no facts', jsonLd({ '@type': 'Restaurant', name: 'X' })],
  ])('sees no listing in %s', (_, html) => {
    expect(read(html, 'https://joesdiner.com/blog/x')).toBeNull();
  });

  it('returns the same bytes for the same page', () => {
    const html = `${jsonLd(DINER)}<p>Mon-Fri 9-5</p>`;
    expect(JSON.stringify(read(html))).toBe(JSON.stringify(read(html)));
  });

  it('reports when limits left something unread', () => {
    const page = readablePage(`<p>x</p>`.repeat(30_000), URL_OF_PAGE);
    expect(readListingWithCuts(page).isCut).toBe(true);
  });
});
