import { parseRetryAfter } from './retry-after.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

it.each<[string | string[] | undefined, number | null]>([
  [undefined, null],
  ['', null],
  ['5', 5_000],
  ['0.25', 250],
  ['1.0001', 1_001],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', null],
  ['-1', null],
  ['2030', 2_030_000],
  ['1e3', null],
  [['5', '6'], null],
])('reads Retry-After %j as %s ms', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});
