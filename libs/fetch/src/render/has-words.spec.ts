import { hasWords } from './render-page.js';

describe('hasWords', () => {
  it.each([
    ['', false],
    [' \n\t\u00a0', false],
    ['<html><head></head><body> </body></html>', false],
    ['<p>a</p>', true],
    ['<p title="b">', false],
    ['<p', true],
    ['>', true],
    ['<<>', false],
  ])('%j: %s', (html, expected) => {
    expect(hasWords(html)).toBe(expected);
  });
});
