import fc from 'fast-check';
import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { parsePage } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { loadFixtures } from './fixtures/load-fixtures.js';
import { readListing } from './read-listing.js';

const URL_OF_PAGE = 'https://shop.net/a';

const read = (html: string, url = URL_OF_PAGE) =>
  readListing({ page: parsePage(html), url, resolver: new UrlResolver(url) });

const script = (json: string): string => `<script type="application/ld+json">${json}</script>`;

/** Names and texts that readers of listings look for, so that chance builds what matters. */
const key = fc
  .constantFrom(
    '@id @type @graph @value @list name address streetAddress telephone geo latitude longitude aggregateRating ratingValue bestRating openingHours openingHoursSpecification dayOfWeek opens closes offers price priceRange image photo amenityFeature identifier url mainEntity itemListElement item'
      .split(' ')
      .concat('__proto__', 'constructor', ''),
  )
  .chain((names) => fc.constantFrom(...[names].flat()));
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'Restaurant',
    'Organization',
    'Product',
    '#x',
    'Mo-Fr 9-5',
    '(312) 555-0142',
    '4.6',
    'TX',
    '$$',
    'http://',
    '12:00',
    '9 Elm St, Troy, NY 12180',
    '\ud800',
    '\0',
  ),
);
const node = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 8 }),
  ),
})).value;

const fragment = fc.oneof(
  text,
  fc.constantFrom(
    '<p>',
    '</p>',
    '<br>',
    '<h1>',
    '</h1>',
    '<table><tr><td>',
    '</td><td>',
    '<address>',
    '<a href="tel:',
    '">',
    '<li>',
    '<div itemscope itemtype="http://schema.org/Store" itemprop="x">',
    '<b itemprop="name">',
    '</b>',
    '</div>',
    '<div typeof="Hotel" property="address">',
    '<meta property="og:type" content="',
    'Mon-',
    'Fri 9am',
    ' – ',
    '5pm',
    'Hours',
    '24/7',
    'License #',
    ' since 19',
    '$10-',
    ' out of 5',
  ),
);

describe('readListing on anything', () => {
  it('never throws on any HTML, and answers the same twice', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (parts) => {
        const html = parts.join('');
        expect(JSON.stringify(read(html))).toBe(JSON.stringify(read(html)));
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on any JSON-LD, well-formed or cut', () => {
    fc.assert(
      fc.property(node, fc.nat(), (value, cut) => {
        const json = JSON.stringify(value) ?? '';
        read(script(json));
        read(script(json.slice(0, cut % (json.length + 1))));
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on a page cut anywhere or turned over', () => {
    const fixtures = loadFixtures();
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.nat(), ({ html, url }, cut) => {
        const at = cut % html.length;
        read(html.slice(0, at), url);
        read(html.slice(at) + html.slice(0, at), url);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps values in their ranges', () => {
    fc.assert(
      fc.property(fc.dictionary(key, node, { maxKeys: 10 }), (facts) => {
        const listing = read(
          script(
            JSON.stringify({ name: 'Shop', telephone: '312-555-0142', ...facts, '@type': 'Store' }),
          ),
        );
        const { rating = 1, lat = 0, lng = 0, review_count = 1, state = 'TX' } = listing ?? {};
        expect(rating > 0 && rating <= 5).toBe(true);
        expect(Math.abs(lat) <= 90 && Math.abs(lng) <= 180).toBe(true);
        expect(Number.isInteger(review_count) && review_count > 0).toBe(true);
        expect(state.length).toBeGreaterThan(1);
      }),
      { numRuns: 300 },
    );
  });
});

const nested = (depth: number): string =>
  '{"@type":"Store","name":"S","location":'.repeat(depth) + '1' + '}'.repeat(depth);
const circle = (size: number): string =>
  JSON.stringify({
    '@graph': Array.from({ length: size }, (_, index) => ({
      '@id': `#${index}`,
      '@type': 'Store',
      name: `S${index}`,
      location: { '@id': `#${(index + 1) % size}` },
      address: { '@id': `#${(index + 1) % size}` },
      containsPlace: { '@id': `#${index}` },
    })),
  });

const STORE = '{"@type":"Store","name":"S","telephone":"3125550142"},';
const manyProperties = (count: number): string =>
  `{"@type":"Store","name":"S",${Array.from({ length: count }, (_, index) => `"p${index}":{}`).join(',')}}`;
const tagsInName = (count: number): string =>
  JSON.stringify({ '@type': 'Store', name: '<b'.repeat(count), telephone: '3125550142' });

describe('readListing on hostile pages', () => {
  /** What grows with `n`, and its largest `n`. */
  it.each<readonly [string, number, (n: number) => string]>([
    ['JSON-LD nested deep', 20_000, (n) => script(nested(n))],
    ['JSON-LD nested very deep', 200_000, (n) => script(nested(n))],
    ['JSON-LD of 2 MB', 37_000, (n) => script(`[${STORE.repeat(n)}{}]`)],
    ['JSON-LD of 10 MB', 190_000, (n) => script(`[${STORE.repeat(n)}{}]`)],
    ['a broken block of 2 MB', 400_000, (n) => script(`{"a":"${'x" "'.repeat(n)}`)],
    ['a circle of nodes', 5_000, (n) => script(circle(n))],
    ['properties of one node', 100_000, (n) => script(manyProperties(n))],
    ['blocks', 10_000, (n) => script('{"@type":"Store"}').repeat(n)],
    [
      'microdata nested deep',
      100_000,
      (n) => '<div itemscope itemtype="http://schema.org/Store" itemprop="name">'.repeat(n),
    ],
    [
      'properties in one item',
      100_000,
      (n) =>
        `<div itemscope itemtype="http://schema.org/Store">${'<b itemprop="name">x</b>'.repeat(n)}</div>`,
    ],
    [
      'properties nested around many nodes',
      100_000,
      (n) => `<div itemscope>${'<b itemprop="name">'.repeat(n / 200)}${'<i>x</i>'.repeat(n)}`,
    ],
    [
      'a line of 5 MB',
      100_000,
      (n) => `<p>${'9 Elm St, Troy, NY 12180 Mon-Fri 9-5 (312) 555-0142 '.repeat(n)}</p>`,
    ],
    [
      'lines of hours and addresses',
      100_000,
      (n) => '<p>9 Elm St, Troy, NY 12180 Mon-Fri 9-5 (312) 555-0142</p>'.repeat(n),
    ],
    // From here the length of each of many lines.
    ['digits and dashes', 1_000, (n) => `<p>${'1-'.repeat(n)}</p>`.repeat(1_000)],
    ['spaces and numbers', 1_000, (n) => `<p>${'1 '.repeat(n)}TX 12345</p>`.repeat(1_000)],
    ['capitals before a state', 140, (n) => `<p>${'A '.repeat(n)}, TX 12345</p>`.repeat(1_000)],
    ['dollars', 600, (n) => `<p>${'$1,'.repeat(n)}</p>`.repeat(1_000)],
    ['day names', 120, (n) => `<p>${'Mon '.repeat(n)}</p>`.repeat(5_000)],
    ['telephone links', 100_000, (n) => '<a href="tel:3125550142">x</a>'.repeat(n)],
    ['tags in a value', 500_000, (n) => script(tagsInName(n))],
  ])('answers in time linear in %s', async (_, largest, htmlOf) => {
    const resolver = new UrlResolver(URL_OF_PAGE);
    const cost = cpuCost(
      (n) => parsePage(htmlOf(n)),
      (page) => readListing({ page, url: URL_OF_PAGE, resolver }),
    );
    const growth = await growthOf(cost, { from: largest / 16, upTo: largest });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
