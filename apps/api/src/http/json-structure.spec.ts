import { structureProblem } from './json-structure.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the structure of a JSON body', () => {
  it.each([
    ['an ordinary one', '{"url":"http://a.example/","formats":["markdown"]}', null],
    ['nothing', '', null],
    ['100 levels', nested(100), null],
    ['101 levels', nested(101), 'The body is nested deeper than 100 levels'],
    ['levels one after the other', `[${'[],'.repeat(200)}1]`, null],
    ['100,000 values', `[${'1,'.repeat(99_999)}1]`, null],
    ['100,001 values', `[${'1,'.repeat(100_000)}1]`, 'The body holds more than 100000 values'],
    ['brackets in text', JSON.stringify({ html: nested(200_000) }), null],
    ['commas in text', JSON.stringify({ html: ','.repeat(200_000) }), null],
    ['escaped quotes before brackets', JSON.stringify({ html: `"${nested(200)}\\` }), null],
    ['brackets after a text that ends in a backslash', `["\\\\",${nested(101)}]`, /deeper/],
    ['a text without an end', `"${nested(200)}`, null],
  ])('%s', (_, json, expected) => {
    const problem = structureProblem(json);
    if (expected instanceof RegExp) expect(problem).toMatch(expected);
    else expect(problem).toBe(expected);
  });
});
