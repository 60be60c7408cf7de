import fc from 'fast-check';
import { readablePage } from '../readable-page.js';
import { loadFixtures } from './fixtures/score-fixtures.js';
import { readListing } from './read-listing.js';
import { HOSTILE_LISTINGS } from './fixtures/hostile-listings.js';

const URL_OF_PAGE = 'https://shop.net/a';

const read = (html: string, url = URL_OF_PAGE) => readListing(readablePage(html, url));

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

describe('readListing on hostile pages', () => {
  it.each(HOSTILE_LISTINGS)('answers on %s', (_, largest, htmlOf) => {
    expect(() => read(htmlOf(Math.ceil(largest / 100)))).not.toThrow();
  });
});
