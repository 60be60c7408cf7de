import { halves, ofHalf, pairFigures } from './pair-figures.js';

describe('pairFigures', () => {
  it('are precision, recall and F1', () => {
    const figures = pairFigures(
      [
        [0, 1],
        [0, 2],
      ],
      [
        [0, 1],
        [3, 4],
        [5, 6],
        [7, 8],
      ],
    );
    expect(figures.precision).toBe(0.5);
    expect(figures.recall).toBe(0.25);
    expect(figures.f1).toBeCloseTo(1 / 3, 10);
  });

  it('of nothing are none', () => {
    expect(pairFigures([], [[0, 1]])).toEqual({ precision: 1, recall: 0, f1: 0 });
    expect(pairFigures([], [])).toEqual({ precision: 1, recall: 1, f1: 1 });
  });
});

describe('halves', () => {
  it('have rows of one thing in the same half, and about as many things each', () => {
    const truth = Array.from({ length: 500 }, (_, at) => [at, at + 500] as const);
    const halfOf = halves(1_000, truth);
    expect(truth.filter(([a, b]) => halfOf[a] !== halfOf[b])).toEqual([]);
    const first = ofHalf(truth, 0, halfOf).length;
    expect(first).toBeGreaterThan(200);
    expect(first).toBeLessThan(300);
    expect(first + ofHalf(truth, 1, halfOf).length).toBe(500);
  });
});
