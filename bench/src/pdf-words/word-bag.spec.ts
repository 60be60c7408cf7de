import { charsKept, compareWords, wordBagOf } from './word-bag.js';

describe('wordBagOf', () => {
  it.each<[string, readonly string[]]>([
    ['The tide, the TIDE.', ['the', 'tide']],
    ['light-\nhouse', ['lighthouse']],
    ['well-known', ['wellknown']],
    ['e\ufb03cient', ['efficient']],
    ['港口', ['港', '口']],
    ['— · 12 %', ['12']],
  ])('of %j are %j', (text, words) => {
    expect([...wordBagOf(text).keys()]).toEqual(words);
  });
});

describe('compareWords', () => {
  it('counts each word as often as both have it', () => {
    const kept = compareWords(wordBagOf('a a a b c'), wordBagOf('a b b'));
    expect(kept).toEqual({
      words: 5,
      kept: 2,
      lost: [
        ['a', 2],
        ['c', 1],
      ],
    });
  });
});

describe('charsKept', () => {
  it('does not mind where words are parted', () => {
    expect(charsKept('di\ufb00erent', 'diff erent')).toBe(1);
    expect(charsKept('abcd', 'abc')).toBe(0.75);
    expect(charsKept('', 'abc')).toBe(1);
  });
});
