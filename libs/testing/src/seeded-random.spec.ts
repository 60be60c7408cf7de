import { seededRandom } from './seeded-random.js';

describe('seededRandom', () => {
  it('repeats its sequence for the same seed and differs for another', () => {
    const take = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(take(7)).toEqual(take(7));
    expect(take(7)).not.toEqual(take(8));
  });

  it('reaches both ends of a range and nothing outside', () => {
    const random = seededRandom(1);
    const seen = new Set(Array.from({ length: 500 }, () => random.int(3, 6)));
    expect([...seen].sort()).toEqual([3, 4, 5, 6]);
  });

  it('picks only what is there and refuses an empty list', () => {
    expect(['a', 'b']).toContain(seededRandom(2).pick(['a', 'b']));
    expect(() => seededRandom(2).pick([])).toThrow('nothing to pick from');
  });
});
