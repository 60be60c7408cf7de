import { isJsonPointer, valueAtPointer } from './json-pointer.js';

describe('a JSON pointer', () => {
  it.each<[string, unknown]>([
    ['/a/b', 1],
    ['/a/c~1d', 2],
    ['/a/e~0f', 3],
    ['/l/1', 'y'],
    ['/a/none', undefined],
    ['/a/b/c', undefined],
    ['/constructor', undefined],
    ['/l/length', 2],
  ])('%s leads to %j', (pointer, value) => {
    const document = { a: { b: 1, 'c/d': 2, 'e~f': 3 }, l: ['x', 'y'] };
    expect(valueAtPointer(document, pointer)).toEqual(value);
  });

  it.each(['', 'a', '/a~2', 'a/b'])('%j is none', (text) => {
    expect(isJsonPointer(text)).toBe(false);
  });
});
