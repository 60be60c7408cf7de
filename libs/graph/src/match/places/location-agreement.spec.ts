import { comparablePlace, type PlaceText } from './comparable-place.js';
import { locationAgreement } from './location-agreement.js';

const AUSTIN = { city: 'Austin', state: 'TX', zip: '78701' };

function agreement(one: PlaceText, other: PlaceText) {
  const [a, b] = [comparablePlace(one), comparablePlace(other)];
  const level = locationAgreement(a, b);
  expect(locationAgreement(b, a)).toBe(level);
  return level;
}

describe('locationAgreement', () => {
  it.each([
    ['100 North Main Street', '100 N Main St', 'address'],
    ['100 N. Main St., Suite 5', '100 N Main St #5', 'address'],
    ['100 Main St Ste 5', '100 Main St', 'address'],
    ['100 Main St Ste 5', '100 Main St Ste 6', 'building'],
    ['100 Main St', '100 South Main St', 'address'],
    ['100 North Main St', '100 South Main St', 'other address'],
    ['100 Main St', '100 Main Ave', 'other address'],
    ['100 Third St', '100 3rd Street', 'address'],
    ['100 65th St', '100 66th St', 'other address'],
    ['100 La Cienega Blv', '100 la cienega blvd.', 'address'],
    ['2355 Peachtree Rd., Peachtree Battle Shopping Center', '2355 Peachtree Road', 'address'],
    ['1250 Main St', '1520 Main St', 'near'],
    ['100 Main St', '900 Main St', 'other address'],
    ['100 Main St', '100 Oak St', 'other address'],
    ['Hauptstr. 12', 'Hauptstraße 12', 'address'],
    ['Main Street', '100 Main Street', 'zip'],
    ['Main Street', 'Main Street', 'zip'],
  ])('of %s and %s in one ZIP code is %s', (one, other, level) => {
    expect(agreement({ street: one, ...AUSTIN }, { street: other, ...AUSTIN })).toBe(level);
  });

  it.each<[PlaceText, PlaceText, string | undefined]>([
    [AUSTIN, { ...AUSTIN, zip: '78701-1234' }, 'zip'],
    [AUSTIN, { ...AUSTIN, zip: '' }, 'city'],
    [AUSTIN, { ...AUSTIN, city: 'Asutin', zip: '' }, 'city'],
    [AUSTIN, { ...AUSTIN, zip: '78702' }, 'other zip'],
    [AUSTIN, { city: 'Dallas', state: 'TX' }, 'other town'],
    [AUSTIN, { city: 'Austin', state: 'MN' }, 'other state'],
    [{ country: 'US' }, { country: 'CA' }, 'other country'],
    [AUSTIN, { state: 'TX' }, undefined],
    [{}, {}, undefined],
    [{ city: 'St. Louis' }, { city: 'Saint Louis' }, 'city'],
    [{ city: 'New York City' }, { city: 'New York' }, 'city'],
  ])('of %j and %j is %s', (one, other, level) => {
    expect(agreement(one, other)).toBe(level);
  });

  it('knows one house under the names of two towns, unless their ZIP codes are far apart', () => {
    const street = '903 N La Cienega Blvd';
    const [one, other] = [
      { street, city: 'Los Angeles' },
      { street, city: 'West Hollywood' },
    ];
    expect(agreement(one, other)).toBe('address, other town');
    expect(agreement({ ...one, zip: '90069' }, { ...other, zip: '90048' })).toBe(
      'address, other town',
    );
    expect(agreement({ ...one, zip: '90069' }, { ...other, zip: '94110' })).toBe('other town');
  });

  it('says little about a street without a town', () => {
    expect(agreement({ street: '100 Main St' }, { street: '100 Main Street' })).toBe(
      'address, town unknown',
    );
  });
});
