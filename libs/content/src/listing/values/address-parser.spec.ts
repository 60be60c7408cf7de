import { parsedLocation, parsedStreet } from './address-parser.js';

describe('parsedLocation', () => {
  it.each([
    ['100 Main St., Austin, TX 78701', '100 | Main | St | Austin | TX | 78701'],
    ['100 N. Peña Blvd, Denver, CO 80249', '100 | Pena | Blvd | Denver | CO | 80249'],
    ["243 O'Farrell St., San Francisco, CA", '243 | OFarrell | St | San Francisco | CA | '],
    ['100 Main St  ·  Austin, TX', '100 | Main | St | Austin | TX | '],
  ])('of %s', (text, parts) => {
    const found = parsedLocation(text);
    const { number, street, type, city, state, zip = '' } = found ?? {};
    expect([number, street, type, city, state, zip].join(' | ')).toBe(parts);
  });

  it('is none of a text that is too long for an address', () => {
    const street = (words: number): string => `100 ${'Main '.repeat(words)}St, Austin, TX 78701`;
    expect(parsedLocation(street(17))).toBeDefined();
    expect(parsedLocation(street(18))).toBeUndefined();
    expect(parsedLocation(`100 ${'a'.repeat(30)} St, Austin, TX`)).toBeDefined();
    expect(parsedLocation(`100 ${'a'.repeat(31)} St, Austin, TX`)).toBeUndefined();
  });
});

describe('parsedStreet', () => {
  it('reads a street without a town', () => {
    expect(parsedStreet('1600 Pennsylvania Avenue NW, Suite 500')).toMatchObject({
      ...{ number: '1600', street: 'Pennsylvania', type: 'Ave', suffix: 'NW', sec_unit_num: '500' },
    });
    expect(parsedStreet('Main Street')).toBeUndefined();
  });
});
