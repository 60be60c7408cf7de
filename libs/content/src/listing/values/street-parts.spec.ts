import { streetParts } from './street-parts.js';

describe('streetParts', () => {
  it.each([
    ['435 S. La Cienega Blvd.', { number: '435', prefix: 'S', street: 'La Cienega', type: 'Blvd' }],
    [
      '1600 Pennsylvania Avenue NW, Suite 500',
      { number: '1600', street: 'Pennsylvania', type: 'Ave', suffix: 'NW', unit: '500' },
    ],
    ['100 Main Street #5', { number: '100', street: 'Main', type: 'St', unit: '5' }],
    ['6 kent street', { number: '6', street: 'kent', type: 'St' }],
    ['2 Harrison St.  near Hudson St.', { number: '2', street: 'Harrison', type: 'St' }],
    ['43 W. 65th St.', { number: '43', prefix: 'W', street: '65th', type: 'St' }],
    ['12 Castlegate', { number: '12', street: 'Castlegate' }],
    ['12 rue de la Paix', { number: '12', street: 'rue de la Paix' }],
    ['Karl-Marx-Straße 88', { number: '88', street: 'Karl-Marx-Straße' }],
    ['Via Roma, 12', { number: '12', street: 'Via Roma' }],
    ['Broadway Mall, Unit 7', { street: 'Broadway Mall', unit: '7' }],
    ['Market Square', { street: 'Market Square' }],
  ])('of %s', (text, parts) => {
    expect(JSON.parse(JSON.stringify(streetParts(text)))).toEqual(parts);
  });

  it.each(['', '   ', ','])('of %j are none', (text) => {
    expect(streetParts(text)).toBeUndefined();
  });

  it('reads 80 characters', () => {
    expect(streetParts(`12 ${'Long '.repeat(1_000)}St`)?.street.length).toBeLessThanOrEqual(80);
  });
});
