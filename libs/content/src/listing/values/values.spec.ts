import { readAddressText } from './address-text.js';
import { readCountry } from './country.js';
import { readEmail } from './email.js';
import { isMapLink, mapPosition, mapQuery } from './map-position.js';
import { readCount, readPosition, readRating, readYear } from './numbers.js';
import { readPhone } from './phone.js';
import { plainLine } from './plain-text.js';
import { checkAddress } from './postal-address.js';
import { amountsIn, readAmount, readPriceRange } from './price.js';
import { usState } from './us-states.js';

describe('readPhone', () => {
  it.each([
    ['(312) 555-0142', '(312) 555-0142'],
    ['312.555.0142', '312.555.0142'],
    ['Call us: 312-555-0142 today', '312-555-0142'],
    ['312-555-0142 x12', '312-555-0142 x12'],
    ['3125550142', '(312) 555-0142'],
    ['+13125550142', '(312) 555-0142'],
    ['tel:+1-312-555-0142', '+1-312-555-0142'],
    ['+1 (312) 555-0142', '+1 (312) 555-0142'],
    ['+49895550123', '+49 89 5550123'],
    ['N/A', undefined],
    ['555-0142', undefined],
    ['555-555-5555', undefined],
    ['123-456-7890', undefined],
    ['000-000-0000', undefined],
    ['2024-01-15 to 2024-02-01', undefined],
  ])('reads %s as %s', (text, expected) => {
    expect(readPhone(text)).toBe(expected);
  });

  it('reads numbers without prefix as those of the country', () => {
    expect(readPhone('030 / 555 01 77', 'DE')).toBe('030 / 555 01 77');
  });
});

describe('readAddressText', () => {
  it.each([
    ['123 Main St, Suite 4, Austin, TX 78701', '123 Main St, Suite 4', 'Austin', 'TX', '78701'],
    ['59 Pleasant Street Woodstock VT 05091', '59 Pleasant Street', 'Woodstock', 'VT', '05091'],
    [
      'Acme Inc · 2200 Folly Rd · Charleston, SC 29412',
      '2200 Folly Rd',
      'Charleston',
      'SC',
      '29412',
    ],
    [
      'Visit: 7 N Lumina Ave, Wrightsville Beach, NC',
      '7 N Lumina Ave',
      'Wrightsville Beach',
      'NC',
      undefined,
    ],
    ['1015 E Route 66, Williams, Arizona 86046', '1015 E Route 66', 'Williams', 'AZ', '86046'],
    ['PO Box 12, Bend, OR 97701-0012', 'PO Box 12', 'Bend', 'OR', '97701-0012'],
    ['Bend, OR 97701', undefined, 'Bend', 'OR', '97701'],
    ['1092 Queen St W, Toronto, ON M6J 1H9', '1092 Queen St W', 'Toronto', 'ON', 'M6J 1H9'],
  ])('reads %s', (text, address, city, state, zip) => {
    expect({ address, ...readAddressText(text) }).toMatchObject({ address, city, state, zip });
  });

  it.each([
    'We served 2100 guests, IN 2023',
    'Call 555-0100',
    'It was 5, OK',
    '',
    '99% of CA 90210',
  ])('finds none in %j', (text) => {
    expect(readAddressText(text)?.address).toBeUndefined();
  });

  it.each([
    ['7 Walcot Street, Bath, BA1 5BG', 'GB', '7 Walcot Street', 'Bath'],
    ['Karl-Marx-Straße 88, 12043 Berlin', 'DE', 'Karl-Marx-Straße 88', 'Berlin'],
    ['102 Cours Lafayette, 69003 Lyon', 'FR', '102 Cours Lafayette', 'Lyon'],
  ])('reads %s in %s', (text, country, address, city) => {
    expect(readAddressText(text, country)).toMatchObject({ address, city });
  });
});

describe('checkAddress', () => {
  it.each([
    [
      { state: 'Calif.', country: 'US' },
      { state: 'CA', country: 'US' },
    ],
    [
      { state: 'US-TX', zip: '78701' },
      { state: 'TX', zip: '78701' },
    ],
    [{ state: 'XX', country: 'US' }, { country: 'US' }],
    [
      { state: 'ME', zip: '4101' },
      { state: 'ME', zip: '04101' },
    ],
    [{ state: 'TX', zip: '787' }, { state: 'TX' }],
    [{ address: '123 Main Street', city: 'Anytown', state: 'CA' }, {}],
    [{ address: '123 Main St', zip: '00000' }, {}],
    [
      { address: '9 Elm St, Troy, NY 12180', city: 'Troy', state: 'NY' },
      { address: '9 Elm St', city: 'Troy', state: 'NY' },
    ],
    [
      { city: 'Troy, NY', state: 'NY' },
      { city: 'Troy', state: 'NY' },
    ],
    [
      { state: 'North Yorkshire', country: 'UK', zip: 'YO1 9RN' },
      { state: 'North Yorkshire', country: 'GB', zip: 'YO1 9RN' },
    ],
  ])('makes of %j %j', (raw, expected) => {
    expect(JSON.parse(JSON.stringify(checkAddress(raw)))).toEqual(expected);
  });
});

describe('numbers', () => {
  it.each([
    ['4.6', undefined, 4.6],
    ['4,6', undefined, 4.6],
    ['8.9', 10, 4.45],
    ['82', 100, 4.1],
    ['47', undefined, undefined],
    ['0', undefined, undefined],
    ['-3', undefined, undefined],
    ['NaN', undefined, undefined],
  ])('reads the rating %s of %s as %s', (text, best, expected) => {
    expect(readRating(text, best)).toBe(expected);
  });

  it.each([
    ['1,284', 1284],
    ['1.043', 1043],
    ['188 reviews', 188],
    ['(12)', 12],
    ['-3', undefined],
    ['0', undefined],
    ['4.5', undefined],
  ])('reads the count %s as %s', (text, expected) => {
    expect(readCount(text)).toBe(expected);
  });

  it('refuses positions that cannot be or that were left at zero', () => {
    expect(readPosition('0', '0')).toBeUndefined();
    expect(readPosition('91.5', '10.0')).toBeUndefined();
    expect(readPosition('28.0977287', '-80.61982859999999')).toEqual({
      lat: 28.0977287,
      lng: -80.61982859999999,
    });
    expect(readPosition('1.2.3', '4')).toBeUndefined();
    expect(readPosition('48,1353', '11,5686')).toEqual({ lat: 48.1353, lng: 11.5686 });
  });

  it('refuses years before anything and after everything', () => {
    expect(readYear('0000')).toBeUndefined();
    expect(readYear('1998-06-01')).toBe(1998);
  });
});

describe('readPriceRange', () => {
  it.each([
    ['$$', undefined, undefined],
    ['$-$$', undefined, undefined],
    ['$10–$25', 10, 25],
    ['$1,195 - $2,310', 1195, 2310],
    ['€140 - €260', 140, 260],
    ['From $99', 99, undefined],
    ['$10$20', 10, 20],
    ['1 299,50 € – 2 499 €', 1299.5, 2499],
    ['Moderate', undefined, undefined],
  ])('keeps %s and its amounts', (text, min, max) => {
    expect(readPriceRange(text)).toEqual({ text, min, max });
  });

  it.each(['N/A', 'Call', '0', '', '$25-$10', '12 99 - 24 99'])('says nothing of %j', (text) => {
    expect(readPriceRange(text)).toBeUndefined();
  });

  it('reads amounts in either spelling of thousands', () => {
    expect([readAmount('1,299.50'), readAmount('1.299,50'), readAmount('0.00')]).toEqual([
      1299.5,
      1299.5,
      undefined,
    ]);
    expect(amountsIn('$5 or 7 €')).toEqual([5, 7]);
  });

  it.each([
    ['1 299,50 €', 1299.5],
    ["1'299.00", 1299],
    ['249.0000', 249],
    ['24.990000', 24.99],
    ['0.995', 0.995],
    ['USD 12', 12],
  ])('reads one amount from %j', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it.each(['12 99 - 24 99', '$10$20', '12.99-24.99', '3 for 12.99', '10,20,30', '12\u00a099'])(
    'makes no amount of several numbers: %j',
    (text) => {
      expect(readAmount(text)).toBeUndefined();
    },
  );
});

describe('readEmail', () => {
  it.each([
    ['mailto:a.b@Shop.com?subject=x', 'a.b@shop.com'],
    ['smile [at] drk.com', 'smile@drk.com'],
    ['info@example.com', undefined],
    ['noreply@shop.com', undefined],
    ['logo@2x.png', undefined],
    ['@handle', undefined],
  ])('reads %s as %s', (text, expected) => {
    expect(readEmail(text)).toBe(expected);
  });
});

describe('maps', () => {
  it.each(
    [
      'https://www.google.com/maps/place/X/@40.5,-74.25,17z',
      'https://www.google.com/maps/embed?pb=!1m3!2d-74.25!3d40.5',
      'https://maps.google.com/?q=40.5,-74.25',
      'https://maps.google.com/maps?ll=40.5%2C-74.25',
      'https://www.openstreetmap.org/?mlat=40.5&mlon=-74.25',
      'geo:40.5,-74.25',
    ].map((link) => [link.replace('40.5', '40.50').replace('-74.25', '-74.25')]),
  )('finds the place of %s', (link) => {
    expect(isMapLink(link)).toBe(true);
    expect(mapPosition(link)).toEqual({ lat: 40.5, lng: -74.25 });
  });

  it('takes the place shown, not the one searched from', () => {
    const link = 'https://maps.google.com/maps?sll=45.00109,-86.270553&ll=42.695819,-83.135544';
    expect(mapPosition(link)).toEqual({ lat: 42.695819, lng: -83.135544 });
  });

  it('finds the address a link searches for', () => {
    expect(mapQuery('https://maps.google.com/?q=7+Elm+St,+Troy,+NY')).toBe('7 Elm St, Troy, NY');
    expect(mapQuery('https://www.google.com/maps/place/7+Elm+St,+Troy/@1,2')).toBe(
      '7 Elm St, Troy',
    );
    expect(mapQuery('https://www.google.com/maps/place/%E0%A4%A')).toBeUndefined();
  });
});

describe('names', () => {
  it.each([
    ['Washington State', 'WA'],
    ['Calif.', 'CA'],
    ['N.Y.', 'NY'],
    ['district of columbia', 'DC'],
    ['Ontario', undefined],
  ])('knows the state %s as %s', (name, expected) => {
    expect(usState(name)).toBe(expected);
  });

  it('recognises countries by name and code', () => {
    expect(['U.S.A.', 'Deutschland', 'uk', 'Narnia', '12'].map(readCountry)).toEqual([
      'US',
      'DE',
      'GB',
      'Narnia',
      undefined,
    ]);
  });

  it('removes markup and placeholders from text', () => {
    expect(plainLine('<p>Brakes,&nbsp;tires &amp;amp; more</p>')).toBe('Brakes, tires & more');
    expect(['N/A', 'undefined', '{{name}}', ' '].map((text) => plainLine(text))).toEqual(
      new Array(4).fill(undefined),
    );
  });
});
