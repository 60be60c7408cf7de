import { flatnessOf } from './flatness.js';

const MB = 1_048_576;
const PAGES = 1_000;

/** Samples at equal steps of the crawl, of so many megabytes each. */
const during = (...megabytes: readonly number[]) =>
  megabytes.map((mb, at) => ({
    scraped: (PAGES * at) / (megabytes.length - 1),
    residentBytes: mb * MB,
  }));

describe('the memory of a broker', () => {
  it('is judged after the first tenth of the crawl', () => {
    const samples = during(50, 120, 121, 122, 121, 120, 119, 120, 121, 120, 120);
    expect(flatnessOf(samples, PAGES)).toMatchObject({
      samples: 10,
      medianMb: 120,
      lowestMb: 119,
      highestMb: 122,
      isFlat: true,
    });
  });

  it.each([
    ['a rise', [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 111]],
    ['a fall', [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 89]],
  ])('is not flat with %s beyond 10 MB', (_, megabytes) => {
    expect(flatnessOf(during(...megabytes), PAGES).isFlat).toBe(false);
  });

  it('has its drift reported, from the first quarter to the last', () => {
    const growing = during(0, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109);
    expect(flatnessOf(growing, PAGES).driftMb).toBeCloseTo(8);
  });

  it('cannot be judged without samples', () => {
    expect(() => flatnessOf([], PAGES)).toThrow('ended before its first sample');
  });
});
