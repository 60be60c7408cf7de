import { fateOf } from './idempotent-posts.js';

describe('a response under an idempotency key', () => {
  it.each([
    [200, 'keep'],
    [202, 'keep'],
    [422, 'keep'],
    [400, 'drop'],
    [401, 'drop'],
    [402, 'drop'],
    [404, 'drop'],
    [409, 'drop'],
    [413, 'drop'],
    [415, 'drop'],
    [429, 'drop'],
    [499, 'release'],
    [500, 'release'],
    [502, 'release'],
    [503, 'release'],
    [504, 'release'],
  ])('of %i: %s', (status, fate) => {
    expect(fateOf(status)).toBe(fate);
  });
});
