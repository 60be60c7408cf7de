import { jsonMembers } from './json-members.js';
import { pageDiff } from './page-diff.js';

const RULES = { ignorePatterns: [], ignoreNoise: true, threshold: 0 };
const fenced = (json: string): string => `\`\`\`json\n${json}\n\`\`\`\n`;
const diffOf = (before: string, after: string, rules = RULES) =>
  pageDiff(fenced(before), fenced(after), rules);

describe('the values of a JSON document', () => {
  it('have the path of their members and elements', () => {
    const json = '{"b":[1,{"x/y~z":"\\u0061\\n"},[]],"a":{"c":null,"d":{}}}';
    expect(jsonMembers(fenced(json))?.map(({ path, value }) => `${path}: ${value}`)).toEqual([
      '/a/c: null',
      '/a/d: {}',
      '/b/0: 1',
      '/b/1/x~1y~0z: "a\\n"',
      '/b/2: []',
    ]);
  });

  it.each([
    ['no JSON', '{"a":1'],
    ['more than one document', '{"a":1}\n{"a":2}'],
    ['a word', '"a"'],
    ['Markdown', '# A page'],
    ['too deep', `${'['.repeat(101)}${']'.repeat(101)}`],
    ['names that are repeated too often', `{"${'k'.repeat(2_000)}":[${'1,'.repeat(999)}1]}`],
  ])('are not read of %s', (_, text) => {
    expect(jsonMembers(text)).toBeNull();
  });

  it('are read of a document at the bounds', () => {
    expect(jsonMembers(`${'['.repeat(100)}${']'.repeat(100)}`)).toHaveLength(1);
  });
});

describe('changes of a JSON document', () => {
  it.each([
    [
      'the order of members',
      '{"item":"pen","tags":["a","b"],"n":{"x":1,"y":2}}',
      '{"n":{"y":2,"x":1},"tags":["a","b"],"item":"pen"}',
    ],
    ['white space', '{"a":[1,2]}', '{\n  "a": [\n    1,\n    2\n  ]\n}'],
    ['forms of a number', '[1.0,100,0.5,-0,12e1]', '[1,1e2,5E-1,0.0,120]'],
    ['escapes', '{"a":"\\u00e9\\/"}', '{"\\u0061":"é/"}'],
    ['members of one name in another order', '{"a":1,"a":2}', '{"a":2,"a":1}'],
    ['dates in strings', '{"at":"2026-11-26T08:00:00Z"}', '{"at":"2026-11-27T09:30:00Z"}'],
  ])('are not %s', (_, before, after) => {
    expect(diffOf(before, after)).toBeNull();
  });

  it.each([
    [
      'a value',
      '{"item":"pen","price":10}',
      '{"price":12.50,"item":"pen"}',
      ['-/price: 10', '+/price: 12.50'],
    ],
    ['a type', '{"n":1}', '{"n":"1"}', ['-/n: 1', '+/n: "1"']],
    ['a member more', '{"a":{"b":1}}', '{"a":{"b":1,"c":2}}', ['+/a/c: 2']],
    [
      'the order of elements',
      '["x","y"]',
      '["y","x"]',
      ['-/0: "x"', '-/1: "y"', '+/0: "y"', '+/1: "x"'],
    ],
    [
      'a number beyond doubles',
      '[9007199254740993]',
      '[9007199254740992]',
      ['-/0: 9007199254740993', '+/0: 9007199254740992'],
    ],
    ['a power beyond doubles', '[1e400]', '[1e401]', ['-/0: 1e400', '+/0: 1e401']],
    [
      'a power of more digits than are added',
      '[1e999999999999999]',
      '[1e1999999999999999]',
      ['-/0: 1e999999999999999', '+/0: 1e1999999999999999'],
    ],
    ['an object that is empty now', '{"a":{"b":1}}', '{"a":{}}', ['-/a/b: 1', '+/a: {}']],
    [
      'a number that a page would count',
      '{"views":1}',
      '{"views":2}',
      ['-/views: 1', '+/views: 2'],
    ],
  ])('are %s, with path, old and new', (_, before, after, lines) => {
    const found = diffOf(before, after);
    const changed = found?.diff?.split('\n').filter((line) => /^[-+]\//.test(line));
    expect([...(changed ?? [])].sort()).toEqual([...lines].sort());
    expect(found?.changedLines).toBe(lines.length);
  });

  it('are those of a text where one of them is no JSON', () => {
    expect(diffOf('{"a":1}', '{"a":1')?.changedLines).toBe(2);
  });

  it('show members that did not change as they were sent', () => {
    expect(diffOf('{"a":1.0,"b":1}', '{"b":2,"a":1}')?.diff).toContain('\n /a: 1.0\n');
  });
});
