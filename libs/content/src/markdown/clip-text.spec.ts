import { clipText } from './clip-text.js';

describe('clipText', () => {
  it.each<[string, string, number, string]>([
    ['leaves a text that fits', 'one two', 7, 'one two'],
    ['ends after a word', 'one two three', 9, 'one two'],
    ['ends after a line', 'one\ntwo', 5, 'one'],
    ['cuts a word that is all there is', 'abcdef', 4, 'abcd'],
    ['cuts no character in two', 'abc\u{1f600}', 4, 'abc'],
    ['keeps nothing where there is no room', 'abc', 0, ''],
  ])('%s', (_, text, maxChars, clipped) => {
    expect(clipText(text, maxChars)).toBe(clipped);
  });

  it('does not step back far for the end of a word', () => {
    expect(clipText(`a ${'b'.repeat(1_000)}`, 900)).toHaveLength(900);
  });
});
