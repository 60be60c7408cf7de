import fc from 'fast-check';
import { foldText, wordsIn } from './fold-text.js';

describe('foldText', () => {
  it.each([
    ['Café Noël', 'cafe noel'],
    ['Weiß & Søn', 'weiss & son'],
    ['ŁÓDŹ', 'lodz'],
    ['Æther Œuvre', 'aether oeuvre'],
    ['İstanbul', 'istanbul'],
    ['Ёлка', 'елка'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ＡＢＣ', 'abc'],
    ['が', 'が'],
    ['한글', '한글'],
    ['हिन्दी', 'हिन्दी'],
  ])('of %s is %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('of a folded text changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
      }),
    );
  });
});

describe('wordsIn', () => {
  it('splits at what is no letter, mark or number', () => {
    expect(wordsIn('a.b-c 12/हिन्दी')).toEqual(['a', 'b', 'c', '12', 'हिन्दी']);
    expect(wordsIn(' -- ')).toEqual([]);
  });

  it('gives at most 16', () => {
    expect(wordsIn('a '.repeat(16))).toHaveLength(16);
    expect(wordsIn('a '.repeat(17))).toHaveLength(16);
  });
});
