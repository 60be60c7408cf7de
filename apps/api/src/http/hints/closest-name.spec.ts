import { closestName, editsBetween } from './closest-name.js';

const KNOWN = ['url', 'formats', 'includeHtml', 'maxAge', 'limit', 'waitFor'];

describe('the closest known name', () => {
  it.each([
    ['format', 'formats'],
    ['fromats', 'formats'],
    ['include_html', 'includeHtml'],
    ['IncludeHTML', 'includeHtml'],
    ['maxage', 'maxAge'],
    ['ulr', 'url'],
    ['wait-for', 'waitFor'],
    ['x', null],
    ['maxPages', null],
    ['', null],
    ['url'.repeat(30), null],
  ])('of %j is %j', (given, meant) => {
    expect(closestName(given, KNOWN)).toBe(meant);
  });

  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['http', 'htp', 1],
  ])('between %j and %j lie %i edits', (a, b, edits) => {
    expect(editsBetween(a, b)).toBe(edits);
    expect(editsBetween(b, a)).toBe(edits);
  });
});
