import { percentile } from './percentile.js';

describe('percentile', () => {
  it.each([
    [[], 50, null],
    [[7], 95, 7],
    [[4, 1, 3, 2], 50, 2],
    [Array.from({ length: 100 }, (_, at) => at + 1), 95, 95],
  ])('of %j at %d is %j', (values, percent, expected) => {
    expect(percentile(values, percent)).toBe(expected);
  });
});
