import { cpuCost, growthOf, LINEAR_GROWTH } from './growth.js';

/** Keeps the processor busy for so many steps. */
function burn(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum ^ (sum << 1) ^ step) | 0;
  return sum;
}

describe('growthOf', () => {
  it.each<[string, (n: number) => number]>([
    ['linear', (n) => burn(3_000 * n)],
    ['linear with a logarithm', (n) => burn(20 * n * Math.log2(n))],
    ['the same for every size', () => burn(100_000)],
  ])('passes work that is %s', async (_, work) => {
    expect(await growthOf(cpuCost(Number, work))).toBeLessThan(LINEAR_GROWTH);
  });

  it.each<[string, (n: number) => number]>([
    ['squared', (n) => burn(100 * n * n)],
    ['squared beside something linear', (n) => burn(80 * n * n + 10_000 * n)],
  ])('fails work that is %s', async (_, work) => {
    const growth = await growthOf(cpuCost(Number, work));
    expect(growth).toBeGreaterThan(LINEAR_GROWTH);
  });

  it('fails what is squared by repeating it, where a cap keeps it small', async () => {
    const squared = cpuCost(Number, (n) => burn(n * n));
    expect(await growthOf(squared, { from: 100, upTo: 400 })).toBeGreaterThan(LINEAR_GROWTH);
  });
});

describe('cpuCost', () => {
  it('measures the work alone, as often as asked, on one input', async () => {
    const made: number[] = [];
    const inputOf = (n: number) => (made.push(n), burn(30_000_000), { n });
    const seen = new Set<unknown>();
    const calls = { count: 0 };
    const cost = cpuCost(inputOf, (input) => (seen.add(input), calls.count++));
    const workMs = await cost(7, 3);
    expect([made, [...seen], calls.count]).toEqual([[7], [{ n: 7 }], 3]);
    const bothMs = await cpuCost(Number, () => inputOf(7))(7, 1);
    expect(workMs).toBeLessThan(bothMs / 2);
  });
});
