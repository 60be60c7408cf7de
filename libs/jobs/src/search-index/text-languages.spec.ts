import { textSearchConfiguration } from './page-texts.js';

describe('the text search configuration of a page', () => {
  it.each([
    ['en', 'english'],
    ['en-US', 'english'],
    ['DE_at', 'german'],
    ['nb-NO', 'norwegian'],
    ['ja', 'simple'],
    ['english', 'simple'],
    ['constructor', 'simple'],
    ['__proto__', 'simple'],
    ['', 'simple'],
    [null, 'simple'],
  ])('of the language %s is %s', (tag, configuration) => {
    expect(textSearchConfiguration(tag)).toBe(configuration);
  });
});
