import fc from 'fast-check';
import { boundedEdits, isMisspelling, trigramSimilarity, trigramsOf } from './text-similarity.js';

describe('boundedEdits', () => {
  it.each([
    ['', '', 0],
    ['plumbing', 'plumbing', 0],
    ['plumbing', 'plumbng', 1],
    ['plumbing', 'plumbbing', 1],
    ['plumbing', 'plunbing', 1],
    ['plumbing', 'plubming', 1],
    ['kitten', 'sitting', 3],
    ['abcd', 'badc', 2],
  ])('counts between %s and %s: %i', (one, other, edits) => {
    expect(boundedEdits(one, other, 9)).toBe(edits);
  });

  it('stops above its limit', () => {
    expect(boundedEdits('abcdefgh', 'ijklmnop', 2)).toBe(3);
    expect(boundedEdits('abc', 'abcdefgh', 2)).toBe(3);
  });

  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });

  it('is the same in both directions, and 0 only for the same text', () => {
    fc.assert(
      fc.property(word, word, fc.nat({ max: 12 }), (one, other, limit) => {
        const edits = boundedEdits(one, other, limit);
        expect(boundedEdits(other, one, limit)).toBe(edits);
        expect(edits === 0).toBe(one === other);
        expect(edits).toBe(Math.min(limit + 1, boundedEdits(one, other, 12)));
      }),
    );
  });
});

describe('isMisspelling', () => {
  it.each([
    ['resturant', 'restaurant', true],
    ['jonson', 'johnson', true],
    ['cat', 'car', false],
    ['unit12', 'unit13', false],
    ['plumbing', 'painting', false],
  ])('of %s and %s is %s', (one, other, expected) => {
    expect(isMisspelling(one, other)).toBe(expected);
    expect(isMisspelling(other, one)).toBe(expected);
  });
});

describe('trigramSimilarity', () => {
  it('counts as pg_trgm does: its documentation gives 0.363636 for word and two words', () => {
    expect(trigramSimilarity(trigramsOf('word'), trigramsOf('two words'))).toBeCloseTo(0.363636, 5);
    expect(trigramSimilarity(trigramsOf('a b'), trigramsOf('a b'))).toBe(1);
    expect(trigramSimilarity(trigramsOf(''), trigramsOf(''))).toBe(0);
  });
});
