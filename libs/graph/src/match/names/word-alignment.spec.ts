import fc from 'fast-check';
import { alignWords } from './word-alignment.js';

const one = (): number => 1;

describe('alignWords', () => {
  it('pairs equal words first, then similar ones', () => {
    expect(alignWords(['green', 'tree'], ['tree', 'gren'], one)).toEqual({
      ...{ weightOfA: 2, weightOfB: 2, shared: 1.85 },
      ...{ restOfA: [], restOfB: [] },
    });
  });

  it('pairs a word with one of its copies only', () => {
    const { shared, restOfA } = alignWords(['duran', 'duran'], ['duran'], one);
    expect(shared).toBe(1);
    expect(restOfA).toEqual(['duran']);
  });

  it('pairs abbreviations of three letters, but no numbers', () => {
    expect(alignWords(['deli'], ['delicatessen'], one).shared).toBe(0.8);
    expect(alignWords(['de'], ['delicatessen'], one).shared).toBe(0);
    expect(alignWords(['1234'], ['12345'], one).shared).toBe(0);
  });

  const words = fc.array(
    fc.constantFrom('smith', 'smyth', 'smithe', 'pizza', 'piza', '7', 'pizzas'),
    {
      maxLength: 6,
    },
  );

  it('shares the same weight in both directions', () => {
    const weightOf = (word: string): number => word.length / 7;
    fc.assert(
      fc.property(words, words, (a, b) => {
        const [there, back] = [alignWords(a, b, weightOf), alignWords(b, a, weightOf)];
        expect(back.shared).toBe(there.shared);
        expect([...back.restOfA].sort()).toEqual([...there.restOfB].sort());
      }),
    );
  });
});
