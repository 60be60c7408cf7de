import fc from 'fast-check';
import { groundValue, type Grounded } from './ground.js';
import { findNumbers, numberOf } from './number-forms.js';
import { findDates } from './date-forms.js';
import { PageText } from './page-text.js';

const URL_OF_PAGE = 'https://shop.example/anvils/3';

function ground(value: unknown, markdown: string, schema: unknown = {}): Grounded {
  return groundValue(value, {
    schema,
    page: new PageText(markdown, URL_OF_PAGE),
    hints: new Map(),
  });
}

const isSaid = (value: unknown, markdown: string) => ground([value], markdown).dropped.length === 0;

describe('values of a page', () => {
  it.each<[unknown, string]>([
    ['Acme Anvil', '# ACME  Anvil\n'],
    ['Acme Anvil', 'The **Acme** _Anvil_ is heavy'],
    ['Smith & Sons', 'by Smith &amp; Sons'],
    ['See our shop now', 'See [our shop](https://example.com/a_(b)?c=1 "Title words") now'],
    ['Crème brûlée', '| CRÈME BRÛLÉE | 5 |'],
    ['ﬁne', 'a fine day'],
    ['東京都', '住所: 東京都千代田区'],
    ['ภาษาไทย', 'นี่คือภาษาไทยนะ'],
    ['★★★★☆', 'Rated ★★★★☆ by us'],
    ['12 Main St, Springfield, IL 62701', '12 Main St  \nSpringfield, IL 62701'],
    ['62701 Springfield, 12 Main St', '12 Main St  \nSpringfield, IL 62701'],
    [
      'It is heavy. It is black.',
      'It is heavy. Also, it has a long story to be told.\n\nIt is black.',
    ],
    ['John Smith', 'by Smith, John'],
    // Addresses.
    ['https://example.com/a', 'Go [there](https://example.com/a/)'],
    ['https://shop.example/img.png', '![x](/img.png)'],
    ['/img.png', '![x](https://shop.example/img.png)'],
    ['www.example.com', 'Go [there](http://example.com/)'],
    ['https://shop.example/anvils/3', 'nothing'],
    ['https://example.com/auto', 'See <https://example.com/auto>.'],
    ['info@example.com', '[Write](mailto:Info@example.com)'],
    // Phone numbers.
    ['+1 555-123-4567', 'Call (555) 123-4567'],
    ['5551234567', 'Call (555) 123-4567'],
    ['+49 30 1234567', 'Tel. 030/1234567'],
    // Numbers.
    [1234.5, 'now $1,234.50 only'],
    [1234.5, 'jetzt 1.234,50 €'],
    [1234.5, "jetzt CHF 1'234.50"],
    [1234567, 'over 1 234 567 sold'],
    [1234567, 'over 1,234,567 sold'],
    [1234567, 'over 12,34,567 sold'],
    [1.234, 'a ratio of 1.234'],
    [-5, 'now −5 °C'],
    [-5, 'loss ($5)'],
    [0.15, 'save 15%'],
    [15, 'save 15 %'],
    [1200, '1.2k reviews'],
    [3e6, 'about 3 million users'],
    [2.5, '2½ baths'],
    [3, 'has three bedrooms'],
    [2024, 'on 12.03.2024'],
    [4.35, 'rated 4.35/5'],
    ['1234.50', 'now $1,234.50 only'],
    ['$1234.50', 'now $1,234.50 only'],
    ['12 kg', 'weighs 12kg'],
    ['01234', 'PLZ 01234 Dresden'],
    ['62701', 'IL 62701-1234'],
    ['Donaudampfschiff', 'Donau\u00addampf\u200bschiff'],
    ['USD', 'now $1,234.50 only'],
    ['EUR', 'jetzt 12 €'],
    ['GBP', 'only ten pounds'],
    ['CHF', 'CHF 12'],
    // Days and times.
    ['2024-03-12', 'on March 12, 2024'],
    ['2024-03-12', 'on 12th of March 2024'],
    ['2024-03-12', 'am 12. März 2024'],
    ['2024-03-12', 'le 12 mars 2024'],
    ['2024-03-12', 'el 12 de marzo de 2024'],
    ['2024-03-12', 'on 3/12/2024'],
    ['2024-03-12', 'on 12/03/24'],
    ['2024-03-12', '2024年3月12日'],
    ['2024-03-12', 'Programme 2024\n\nTuesday, 12 March'],
    ['2024-03-12T19:30:00Z', 'on March 12, 2024 at 7:30 pm'],
    ['2024-03-12T19:00:00', '12.03.2024, 19:00 Uhr'],
    ['2024-03-12T00:00:00', 'on March 12, 2024'],
  ])('%p is said', (value, markdown) => {
    expect(isSaid(value, markdown)).toBe(true);
  });

  it.each<[unknown, string]>([
    ['Acme Hammer', 'The Acme Anvil'],
    ['vil', 'The Acme Anvil'],
    ['', 'The Acme Anvil'],
    ['N/A', 'The Acme Anvil'],
    ['京都市', '住所: 東京都千代田区'],
    ['★★★★★', 'Rated ★★★★☆ by us'],
    ['Mary Brown', 'by John Brown and Mary Smith'],
    ['A sturdy tool for smiths', 'The Acme Anvil weighs 12 kg.'],
    [`Acme is in Berlin`, `Acme ${'x '.repeat(200)} is ${'x '.repeat(200)} in Berlin`],
    ['https://example.com/b', 'Go [there](https://example.com/a)'],
    ['https://evil.example/a', 'Go [there](https://example.com/a)'],
    ['other@example.com', '[Write](mailto:info@example.com)'],
    ['+1 555-123-4568', 'Call (555) 123-4567'],
    ['4567', 'Call (555) 123-45679'],
    ['EUR', 'now $1,234.50 only'],
    ['CAD', 'now $1,234.50 only'],
    ['XYZ', 'now $1,234.50 only'],
    [234, 'now $1,234.50 only'],
    ['234', 'now $1,234.50 only'],
    ['5', 'costs 1.5'],
    [12, 'weighs 1.2 kg'],
    [99, 'price on request'],
    [0.2, 'save 15%'],
    [5e6, 'about 3 million users'],
    ['2024-03-13', 'on March 12, 2024'],
    ['2025-03-12', 'on March 12, 2024'],
    ['2024-03-12', 'Tuesday, 12 March'],
    ['2024-03-12T20:30:00Z', 'on March 12, 2024 at 7:30 pm'],
  ])('%p is not', (value, markdown) => {
    expect(isSaid(value, markdown)).toBe(false);
  });

  it('leaves null, nothing or a part of ungrounded values, and reports them', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        maker: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        offers: {
          type: 'array',
          items: {
            type: 'object',
            properties: { seller: { type: 'string' }, price: { type: 'number' } },
          },
        },
        size: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] },
        ceo: { type: 'object', properties: { name: { type: 'string' } } },
      },
    };
    const value = {
      name: 'Anvil',
      maker: 'Invented Inc',
      tags: ['heavy', 'invented', 'black'],
      offers: [
        { seller: 'Nobody', price: 999 },
        { seller: 'Smith', price: 888 },
      ],
      size: [77, 12],
      ceo: { name: 'Jane Doe' },
      extra: 'invented',
    };
    const result = ground(value, '# Anvil\n\nHeavy and black, 12 cm. Sold by Smith.', schema);
    expect(result.value).toEqual({
      name: 'Anvil',
      maker: null,
      tags: ['heavy', 'black'],
      offers: [{ seller: 'Smith', price: null }],
      size: [null, 12],
      ceo: null,
    });
    expect(result.dropped).toEqual([
      '/maker',
      '/tags/1',
      '/offers/0/seller',
      '/offers/0/price',
      '/offers/1/price',
      '/size/0',
      '/ceo/name',
      '/extra',
    ]);
    expect(result.quotes).toEqual({
      '/name': { quote: '# Anvil' },
      '/tags/0': { quote: 'Heavy and black, 12 cm. Sold by Smith.' },
      '/tags/1': { quote: 'Heavy and black, 12 cm. Sold by Smith.' },
      '/offers/0/seller': { quote: 'Heavy and black, 12 cm. Sold by Smith.' },
      '/size/1': { quote: 'Heavy and black, 12 cm. Sold by Smith.' },
    });
  });

  it('keeps judgments, with a quote only where the page has the words that were named', () => {
    const schema = {
      type: 'object',
      properties: {
        inStock: { type: ['boolean', 'null'] },
        mood: { enum: ['good', 'bad', null] },
        kind: { anyOf: [{ const: 'product' }, { type: 'null' }] },
        gist: { type: 'string', 'x-derived': true },
      },
    };
    const value = { inStock: true, mood: 'good', kind: 'product', gist: 'A tool.' };
    const { quotes, ...rest } = groundValue(value, {
      schema,
      page: new PageText('Ships today! Customers love it.', URL_OF_PAGE),
      hints: new Map([
        ['/inStock', 'ships today'],
        ['/mood', 'five stars'],
      ]),
    });
    expect(rest).toEqual({ value, dropped: [] });
    expect(quotes).toEqual({ '/inStock': { quote: 'Ships today! Customers love it.' } });
  });

  it('answers null for a whole that is not said, and keeps the form of an object', () => {
    expect(ground('Invented', 'page').value).toBeNull();
    expect(ground({ a: 'x' }, 'page', { properties: { a: {} } }).value).toEqual({ a: null });
  });

  it('quotes the place where the name of the field comes before the value', () => {
    const markdown = 'Line 5 of 9\n\n| Price | 5 |\n\nSold: Anvil\n\nProduct name: Anvil';
    const { quotes } = ground({ price: 5, product_name: 'Anvil' }, markdown);
    expect(quotes).toEqual({
      '/price': { quote: '| Price | 5 |' },
      '/product_name': { quote: 'Product name: Anvil' },
    });
  });

  it('leaves no text and no number that is not in the page, and never throws', () => {
    const words = fc.array(fc.constantFrom('anvil', 'heavy', '12', 'ünï', 'x'), { maxLength: 6 });
    const value = fc.jsonValue({ depthSize: 'small' });
    const leaves = (one: unknown): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one).flatMap(leaves) : [one];
    fc.assert(
      fc.property(words, value, (page, said) => {
        const { value: kept } = ground(said, page.join(' '));
        for (const leaf of leaves(kept)) {
          if (typeof leaf === 'string') expect(page.join(' ')).toContain(leaf.toLowerCase().trim());
          if (typeof leaf === 'number') expect([12]).toContain(leaf);
        }
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('quotes whole words of the line, from far into it', () => {
    const line = `${'word '.repeat(50)}the price is 12 euros ${'word '.repeat(50)}`;
    const quote = ground([12], `first\n${line}\nlast`).quotes['/0']?.quote ?? '';
    expect(quote).toMatch(/^word .*the price is 12 euros word .*word$/);
    expect(quote.length).toBeLessThanOrEqual(240);
    expect(line).toContain(quote);
  });
});

describe('numbers in a text', () => {
  it.each([
    ['$1,234.50', 1234.5],
    ['1.234,50 €', 1234.5],
    ['USD 12', 12],
    ['-3', -3],
    ['1 234', 1234],
    ['15%', 15],
    ['1.234', 1234],
    ['1.23', 1.23],
    ['12 apples', null],
    ['1-2', null],
    ['', null],
    ['.', null],
  ])('%p says %p', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });

  it('are found with their places', () => {
    const text = 'a 1,5 b';
    const [found] = findNumbers(text);
    expect(found && text.slice(found.start, found.end)).toBe('1,5');
  });
});

describe('days in a text', () => {
  it.each([
    ['31.12.1999', [[1999, 12, 31]]],
    [
      '1/2/2024',
      [
        [2024, 2, 1],
        [2024, 1, 2],
      ],
    ],
    ['2024/02/01', [[2024, 2, 1]]],
    ['Dec. 24', [[null, 12, 24]]],
    ['market 12', []],
    ['10.20.30.40', []],
    ['45 March 2024', []],
  ])('%p names %j', (text, days) => {
    expect(findDates(text).map(({ year, month, day }) => [year, month, day])).toEqual(days);
  });
});
