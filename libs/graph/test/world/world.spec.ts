import { makeWorld } from './make-world.js';
import { figuresOf, matchWorld } from './match-world.js';

/** About 5,000 records. The full size, 200,000 businesses, is in `world.soak.ts`. */
const BUSINESSES = 2_200;
const SEED = 1;

describe('a generated world of businesses', () => {
  const world = makeWorld(BUSINESSES, SEED);
  const matched = matchWorld(world);
  const figures = figuresOf(world, matched);

  it('has businesses of every kind, with one to four records', () => {
    const kinds = new Set(world.map(({ business }) => business.kind));
    expect(kinds.size).toBe(8);
    const perBusiness = Map.groupBy(world, ({ business }) => business.id);
    const sizes = new Set([...perBusiness.values()].map(({ length }) => length));
    expect([...sizes].sort()).toEqual([1, 2, 3, 4]);
    expect(Math.abs(perBusiness.size - BUSINESSES)).toBeLessThanOrEqual(10);
  });

  it('is the same for the same seed', () => {
    expect(makeWorld(50, 3)).toEqual(makeWorld(50, 3));
    expect(makeWorld(50, 3)).not.toEqual(makeWorld(50, 4));
  });

  it('has at most one wrong group of a thousand', () => {
    expect(figures.mixedGroups / figures.groups).toBeLessThanOrEqual(0.001);
    expect(figures.falsePairs / figures.mergedPairs).toBeLessThanOrEqual(0.001);
  });

  it('finds at least 95 of a hundred pairs by each key', () => {
    expect(Object.keys(figures.recallByKey).sort()).toEqual([
      'domain',
      'license',
      'name and city',
      'name and zip',
      'phone',
      'uei',
    ]);
    for (const [kind, recall] of Object.entries(figures.recallByKey))
      expect({ kind, isFound: recall >= 0.95 }).toEqual({ kind, isFound: true });
    expect(figures.recall).toBeGreaterThan(0.93);
  });
});
