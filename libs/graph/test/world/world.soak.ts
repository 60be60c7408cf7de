import { writeFileSync } from 'node:fs';
import { makeWorld } from './make-world.js';
import { figuresOf, matchWorld } from './match-world.js';

/** `npm run test:soak -- world`: takes about two minutes of CPU and 3 GB of memory. */
const BUSINESSES = 200_000;
const SEED = 7;

/** Jest hides what its tests print. */
function report(figures: object): void {
  writeFileSync(2, `${JSON.stringify(figures, null, 1)}\n`);
}

describe('a generated world of 200,000 businesses', () => {
  it('has at most one false merge of a thousand, and 95 of a hundred pairs are found by each key', () => {
    const world = makeWorld(BUSINESSES, SEED);
    const figures = figuresOf(world, matchWorld(world));
    report(figures);
    expect(figures.falsePairs / figures.mergedPairs).toBeLessThanOrEqual(0.001);
    expect(figures.mixedGroups / figures.groups).toBeLessThanOrEqual(0.001);
    expect(Math.min(...Object.values(figures.recallByKey))).toBeGreaterThanOrEqual(0.95);
  }, 3_600_000);
});
