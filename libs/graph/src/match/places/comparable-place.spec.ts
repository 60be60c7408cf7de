import { comparablePlace } from './comparable-place.js';

describe('comparablePlace', () => {
  it('writes each part in one way', () => {
    const place = comparablePlace({
      ...{ street: '100 North Main Street, Suite 05', city: 'Ft. Worth' },
      ...{ state: 'TX', zip: '76102-1234', country: 'US' },
    });
    expect(place).toMatchObject({ city: 'fort worth', state: 'TX', zip: '76102', country: 'US' });
    expect([...place.cityWords]).toEqual(['ft', 'worth', 'fort']);
    expect(place.street()).toEqual({
      ...{ number: '100', name: 'main', type: 'st', directions: 'n', unit: '5' },
    });
  });

  it('writes postal codes of other countries without spaces', () => {
    expect(comparablePlace({ zip: 'sw1a 1aa' }).zip).toBe('SW1A1AA');
  });

  it('reads 100 characters of a part', () => {
    const long = comparablePlace({ street: '1 '.repeat(5_000), city: 'x'.repeat(5_000) });
    expect(long.streetText.length).toBeLessThanOrEqual(100);
    expect(long.city).toHaveLength(100);
  });
});
