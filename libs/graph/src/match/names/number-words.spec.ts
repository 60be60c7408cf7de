import { digitsOfNumbers } from './number-words.js';

describe('digitsOfNumbers', () => {
  it.each([
    ['seven eleven', '7 11'],
    ['twenty one', '21'],
    ['twenty first century', '21st century'],
    ['ninety ninth', '99th'],
    ['twenty eleven', '20 11'],
    ['first second third fourth', '1st 2nd 3rd 4th'],
    ['eleventh twelfth thirteenth', '11th 12th 13th'],
    ['twentieth', '20th'],
    ['twenty', '20'],
    ['zero', '0'],
    ['oneida someone', 'oneida someone'],
  ])('writes %s as %s', (words, expected) => {
    expect(digitsOfNumbers(words.split(' ')).join(' ')).toBe(expected);
  });
});
