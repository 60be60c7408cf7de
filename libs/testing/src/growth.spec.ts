import { type Cost, growthOf, LINEAR_GROWTH } from './growth.js';
import { seededRandom } from './seeded-random.js';

/** A given cost, not a measured one, with a log of the calls. */
function toldCost(msOf: (n: number) => number) {
  const asked: (readonly [n: number, times: number])[] = [];
  const cost: Cost = (n, times) => {
    asked.push([n, times]);
    return times * msOf(n);
  };
  return { asked, cost };
}

describe('growthOf', () => {
  it.each([
    ['four', 1, 4],
    ['sixteen', 2, 16],
  ])(
    'gives %s through noise that doubles most costs and now and then adds much',
    async (_, power, growth) => {
      const random = seededRandom(5);
      const noise = (): number => (random.next() < 0.2 ? 500 : 0);
      const { cost } = toldCost((n) => (n / 100) ** power * (1 + random.next()) + noise());
      expect(await growthOf(cost)).toBeGreaterThan(growth * 0.6);
      expect(await growthOf(cost)).toBeLessThan(growth * 1.4);
    },
  );

  it('measures the sizes in turns, the smaller one so large that it is clear', async () => {
    const { asked, cost } = toldCost((n) => n / 200);
    expect(await growthOf(cost)).toBe(4);
    const sizes = asked.map(([n]) => n);
    expect(sizes.slice(-4)).toEqual([2_000, 8_000, 2_000, 8_000]);
    expect(new Set(asked.map(([, times]) => times))).toEqual(new Set([1]));
  });

  it('measures a bad ratio again before it reports it', async () => {
    let rounds = 0;
    const { cost } = toldCost((n) => (n === 500 ? 20 : ++rounds < 6 ? 900 : 80));
    expect(await growthOf(cost)).toBe(4);
    const { asked, cost: bad } = toldCost((n) => (n / 500) ** 2 * 20);
    expect(await growthOf(bad)).toBe(16);
    expect(asked.filter(([n]) => n === 2_000)).toHaveLength(8);
  });

  it('stays within the sizes given, and repeats there what is too short', async () => {
    const { asked, cost } = toldCost((n) => n / 1_000);
    expect(await growthOf(cost, { from: 5_000, upTo: 8_000 })).toBe(4);
    expect(new Set(asked.map(([n]) => n))).toEqual(new Set([2_000, 8_000]));
    expect(asked.at(-1)).toEqual([8_000, 8]);
  });

  it('does not count the growth of what costs a few steps a unit, but of what costs more', async () => {
    // A step takes about a nanosecond: a few of them are far from 50, and thousands too.
    const bumpy = (msEach: number, from: number) =>
      toldCost((n) => (n > from ? 20 * msEach * n : msEach * n)).cost;
    expect(await growthOf(bumpy(1e-7, 100_000), { upTo: 200_000 })).toBe(4);
    expect(await growthOf(bumpy(1e-3, 20_000), { upTo: 200_000 })).toBeGreaterThan(LINEAR_GROWTH);
  });

  it('treats work without cost as work that does not grow', async () => {
    const { asked, cost } = toldCost((n) => (n > 1_000 ? 1e-5 : 1e-7));
    expect(await growthOf(cost, { upTo: 2_000 })).toBeLessThan(1);
    expect(asked.length).toBeLessThan(40);
  });
});
