import { type Product } from './product-values.js';
import { readablePage } from '../readable-page.js';
import { addressId } from './address-id.js';
import { availabilityOf, BUYS, shownAvailability } from './availability.js';
import { amountOf } from '../listing/values/price.js';
import { currencyOf, moneyOf } from './money.js';
import { gtinIn } from './read-markup.js';
import { readProduct } from './read-product.js';

const URL_ = 'https://shop.example/p/lamp-123456';

const productOf = (html: string, url = URL_): Product | null =>
  readProduct(readablePage(html, url));

const ld = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

const OFFER = {
  '@type': 'Offer',
  price: '19.90',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
};

describe('a currency', () => {
  it.each([
    ['US$', 'USD'],
    ['zł', 'PLN'],
    ['nzd', 'NZD'],
    ['constructor', undefined],
    ['__proto__', undefined],
  ])('of %s is %s', (text, currency) => {
    expect(currencyOf(text)).toBe(currency);
  });
});

describe('a product', () => {
  it('is read from JSON-LD, with its variants and the origin of every field', () => {
    const product = productOf(
      `<h1>Lamp</h1>${ld({
        '@type': 'Product',
        name: 'Lamp',
        description: 'A lamp.',
        brand: { '@type': 'Brand', name: 'Lux' },
        sku: 'L-1',
        mpn: 'M1',
        gtin13: '4006381333931',
        image: ['/a.jpg', { '@type': 'ImageObject', url: '/b.jpg' }],
        aggregateRating: { ratingValue: 4.5, reviewCount: 12 },
        offers: OFFER,
        hasVariant: [
          { '@type': 'Product', name: 'Red', sku: 'L-1-R', offers: { ...OFFER, price: 21 } },
        ],
      })}`,
    );
    expect(product).toMatchObject({
      name: 'Lamp',
      brand: 'Lux',
      price: 19.9,
      currency: 'EUR',
      availability: 'InStock',
      sku: 'L-1',
      mpn: 'M1',
      gtin: '4006381333931',
      rating: 4.5,
      review_count: 12,
      images: ['https://shop.example/a.jpg', 'https://shop.example/b.jpg'],
      variants: [
        { name: 'Red', sku: 'L-1-R', price: 21, currency: 'EUR', availability: 'InStock' },
      ],
      _extraction_method: 'json-ld',
    });
    const fields = Object.keys(product ?? {}).filter((name) => !name.startsWith('_'));
    expect(Object.keys(product?._provenance ?? {})).toEqual(fields);
    expect(product?._provenance.price).toEqual({ layer: 'json-ld', path: '$[0].offers.price' });
  });

  it('is read from microdata and from Open Graph', () => {
    const microdata =
      '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Lamp</h1><p itemprop=offers itemscope><b itemprop=price content=5>5</b><link itemprop=availability href="http://schema.org/OutOfStock"></div>';
    expect(productOf(microdata)).toMatchObject({
      name: 'Lamp',
      price: 5,
      availability: 'OutOfStock',
    });
    const meta = [
      ['og:type', 'product'],
      ['og:title', 'Lamp'],
      ['product:price:amount', '7.50'],
      ['product:price:currency', 'USD'],
      ['product:retailer_item_id', 'R9'],
    ].map(([name, value]) => `<meta property="${name}" content="${value}">`);
    expect(productOf(meta.join(''))).toMatchObject({
      ...{ name: 'Lamp', price: 7.5, currency: 'USD', sku: 'R9', _extraction_method: 'open-graph' },
    });
  });

  it('is read from its text: the price near the heading, what it was before, labels and buttons', () => {
    const product = productOf(
      '<a>9 €</a><h1>Lamp</h1><p class=price><del>39,90 €</del> <b class=now>29<sup>90</sup> €</b></p>' +
        '<p>Artikelnummer: AB-77</p><p>EAN: 4006381333931</p><p>Marke: Lux</p><button>In den Warenkorb</button>' +
        '<div class=related><p class=price>1,00 €</p></div>',
    );
    expect(product).toMatchObject({
      ...{ name: 'Lamp', price: 29.9, currency: 'EUR', list_price: 39.9, availability: 'InStock' },
      ...{ sku: 'AB-77', gtin: '4006381333931', brand: 'Lux', _extraction_method: 'text' },
    });
  });

  it('takes the price that is shown where markup has the one that is crossed out', () => {
    const html = `<h1>Lamp</h1>${ld({ '@type': 'Product', name: 'Lamp', offers: OFFER })}<p class=price><s>19.90 €</s><b>15.00 €</b></p>`;
    expect(productOf(html)).toMatchObject({ price: 15, list_price: 19.9 });
  });

  it('is in stock when one of its offers is', () => {
    const sold = { ...OFFER, availability: 'SoldOut' };
    const html = (offers: unknown) =>
      `<h1>Lamp</h1>${ld({ '@type': 'Product', name: 'Lamp', offers })}`;
    expect(productOf(html([sold, OFFER]))?.availability).toBe('InStock');
    expect(productOf(html([sold]))?.availability).toBe('OutOfStock');
  });

  it('has the identifier of its scripts or its address, where nothing else says one', () => {
    const html = '<h1>Lamp</h1><p class=price>$5.00</p><button>Add to cart</button>';
    expect(productOf(html)?.sku).toBe('123456');
    expect(productOf(`${html}<script>x = {"sku":"Z-1"}</script>`)?.sku).toBe('Z-1');
    expect(productOf(`${html}<script>x = [{"sku":"Z-1"},{"sku":"Z-2"}]</script>`)?.sku).toBe(
      '123456',
    );
  });

  it.each([
    ['an article', '<h1>News</h1><p>It costs 5 € a day, they say.</p>'],
    ['a shelf', ld([1, 2].map((n) => ({ '@type': 'Product', name: `P${n}`, offers: OFFER })))],
    ['a price without anything else', '<h1>Fees</h1><p>5 €</p>'],
  ])('is not on %s', (_, html) => {
    expect(productOf(html, 'https://shop.example/a')).toBeNull();
  });
});

describe('values of shops', () => {
  it.each<[string, ReturnType<typeof moneyOf>]>([
    ['$1,299.50', { amount: 1299.5 }],
    ['1.299,50 €', { amount: 1299.5, currency: 'EUR' }],
    ['from £7', { amount: 7, currency: 'GBP' }],
    ['CHF 19.50', { amount: 19.5, currency: 'CHF' }],
    ['2 320元', { amount: 2320 }],
    ['19', undefined],
    ['$5 off when you spend $50', undefined],
  ])('the amount of %s', (text, money) => {
    expect(moneyOf(text)).toEqual(money);
  });

  it.each<[string, number | undefined]>([
    ['12.990000', 12.99],
    ['1.234', 1234],
    ['0', undefined],
    ['', undefined],
  ])('the number of "%s"', (text, amount) => {
    expect(amountOf(text)).toBe(amount);
  });

  it.each([
    ['Out of stock', 'OutOfStock'],
    ['Derzeit nicht verfügbar.', 'OutOfStock'],
    ['Auf Lager', 'InStock'],
    [
      'In stock since 1990 we sell what others do not have, and more of it than anybody else',
      undefined,
    ],
  ])('that "%s" is %s', (text, state) => {
    expect(shownAvailability(text)).toBe(state);
  });

  it('states of markup, buttons, check digits and addresses', () => {
    expect(availabilityOf('http://schema.org/PreOrder')).toBe('PreOrder');
    expect(availabilityOf('soon')).toBeUndefined();
    expect([BUYS.test('Add to cart'), BUYS.test('Buy the book')]).toEqual([true, false]);
    expect(gtinIn('0000000000000')).toBeUndefined();
    expect([gtinIn('4006381333931'), gtinIn('4006381333932')]).toEqual([
      '4006381333931',
      undefined,
    ]);
    const ids = ['/dp/B07FW264WL', '/table-oak-00293772/', '/x?pid=260591', '/about', '/2024/news'];
    expect(ids.map((path) => addressId(`https://a.example${path}`))).toEqual([
      ...['B07FW264WL', '00293772', '260591', undefined, undefined],
    ]);
  });
});
