import { isOlder, parseInstant } from './page-dates.js';

describe('the instant of a request', () => {
  it.each([
    ['2026-11-02', '2026-11-02T00:00:00.000Z'],
    ['2026-11-02T10:00Z', '2026-11-02T10:00:00.000Z'],
    ['2026-11-02T10:00:30+02:00', '2026-11-02T08:00:30.000Z'],
    ['2026-11-02T23:30:00.250-05:30', '2026-11-03T05:00:00.250Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    ...['', 'yesterday', '2026', '2026-11', '20261102', '2026-11-02T10:00', '2026-11-02 10:00Z'],
    ...['2026-02-30', '2026-13-01', '2026-11-00', '2026-11-02T25:00Z', '2026-11-02T10:00+99:00'],
    ...[
      '2026-11-02T10:00:00.1234Z',
      '1793613600000',
      'Mon, 02 Nov 2026 10:00:00 GMT',
      '+002026-11-02',
    ],
    ...['2026-11-02\n', '２０２６-11-02', '2026-11-02T10:00Z'.repeat(100_000)],
  ])('%j is none', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});

describe('a page is older than 2026-11-02T10:00:00Z by the date', () => {
  it.each<[string | undefined, boolean]>([
    // An instant: strictly before.
    ['2026-11-02T10:00:00Z', false],
    ['2026-11-02T09:59:59Z', true],
    ['2026-11-02T10:00:00.000Z', false],
    ['2026-11-02T09:59Z', true],
    ['2026-11-02T10:00Z', false],
    // Zones.
    ['2026-11-02T11:59:59+02:00', true],
    ['2026-11-02T12:00:00+02:00', false],
    ['2026-11-02T11:59:59+0200', true],
    ['2026-11-02T04:59:59-05:00', true],
    ['2026-11-02T05:00:00-05:00', false],
    // Without a zone it may be that of the west, twelve hours later.
    ['2026-11-02T09:59:59', false],
    ['2026-11-01T21:59:59', true],
    ['2026-11-01T22:00:00', false],
    // A day ends at noon of the next in UTC.
    ['2026-11-02', false],
    ['2026-11-01', false],
    ['2026-10-31', true],
    ['2026-11', false],
    ['2026-10', true],
    ['2025-12', true],
    ['2026', false],
    ['2025', true],
    // Of headers, to the second.
    ['Mon, 02 Nov 2026 09:59:59 GMT', true],
    ['Mon, 02 Nov 2026 10:00:00 GMT', false],
    ['02 Nov 2026 11:59:59 +0200', true],
    ['Mon, 02 Nov 2026 12:00 +0200', false],
    // No dates.
    [undefined, false],
    ['', false],
    ['0', false],
    ['2025-13-01', false],
    ['2025-00', false],
    ['2025-01-32', false],
    ['2025-01-01T25:00Z', false],
    ['2025-01-01T10:60Z', false],
    ['Mon, 99 Foo 2025 10:00:00 GMT', false],
    ['last week', false],
    ['2025-01-01 and more', false],
    [`${'2025-01-01T'.repeat(10)}`, false],
    ['9'.repeat(1_000_000), false],
  ])('%s: %s', (date, expected) => {
    expect(isOlder(date, '2026-11-02T10:00:00.000Z')).toBe(expected);
  });

  it('to the millisecond of the instant, of a date with seconds', () => {
    const instant = '2026-11-02T10:00:00.500Z';
    // The page may have been modified in the rest of the second.
    expect(isOlder('Mon, 02 Nov 2026 10:00:00 GMT', instant)).toBe(false);
    expect(isOlder('Mon, 02 Nov 2026 09:59:59 GMT', instant)).toBe(true);
  });
});
