import fc from 'fast-check';
import { fold, foldWords } from './inline-text.js';

/** By the book: invisible characters go, runs of white space become one space. */
const foldedSlowly = (text: string): string =>
  text.replace(/[\0\xad\u200b\u2060\ufeff]/g, '').replace(/[\t\n\f\r \x85\xa0\u2028\u2029]+/g, ' ');

describe('folding of white space', () => {
  it.each([
    ['plain words, untouched', 'two words.'],
    ['a space at either end', ' word '],
    ['the last plain character and the one after it', 'a\x84b\x85c'],
    ['two spaces', 'a  b'],
    ['two spaces at the very end', 'ab  '],
    ['a line break', 'a\nb'],
    ['a control character', 'a\x01b'],
    ['what is beyond the plain characters', 'é ü\xa0\u2003x'],
    ['an invisible character between two spaces', 'a \u200b b'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(fold(text)).toBe(foldedSlowly(text));
  });

  it('is the same for any text', () => {
    const unit = fc.constantFrom(
      ...'ab. \n\t\0\x01\x7f\x84\x85\xa0\xad\u200b\u2028\u2060\ufeffé漢',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(fold(text)).toBe(foldedSlowly(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['an accent of its own', 'Mu\u0308\xadnchen  cafe\u0301', 'München café'],
    ['a sound mark of its own', 'か\u3099', 'が'],
    ['a dot below, as Bengali is written in NFC', '\u09df\u09be', '\u09af\u09bc\u09be'],
    ['a vowel of two parts', '\u0995\u09c7\u09be', '\u0995\u09cb'],
    ['letters with their accents', 'München', 'München'],
    ['words without', 'two words', 'two words'],
  ])('joins with its letter %s', (_, text, folded) => {
    expect(foldWords(text)).toBe(folded);
  });

  it('leaves heaps of marks as they are: 30 are put in order, 31 are not', () => {
    const heap = (count: number): string => `a${'\u0301\u0323'.repeat(20).slice(0, count)}`;
    expect(foldWords(heap(30))).toBe(heap(30).normalize('NFC'));
    expect(foldWords(heap(31))).toBe(heap(31));
  });
});
