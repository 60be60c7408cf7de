import fc from 'fast-check';
import { membersOf } from './json-members.js';

describe('the members of a JSON object', () => {
  it('are those that a parser finds, for any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^\w*$/), fc.jsonValue()), (object) => {
        const json = Buffer.from(JSON.stringify(object));
        const members = [...membersOf(json)].map(([name, value]) => [
          name,
          JSON.parse(value.toString()) as unknown,
        ]);
        expect(Object.fromEntries(members)).toEqual(JSON.parse(json.toString()));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['\\', '"', '\\"', '\\\\"', '{[,]}', '","a":1', '\u2028😀', ''])(
    'end where the text %j ends',
    (text) => {
      const value = { first: text.repeat(3), second: [text, { [text]: text }], third: 1 };
      const members = membersOf(Buffer.from(JSON.stringify(value)));
      expect([...members.keys()]).toEqual(['first', 'second', 'third']);
      expect(JSON.parse(members.get('second')?.toString() ?? '')).toEqual(value.second);
    },
  );

  it('of a text that breaks off are found up to there', () => {
    const json = Buffer.from(JSON.stringify({ a: 'x', b: { c: ['y'] } }));
    for (let length = 0; length < json.length; length++)
      expect(membersOf(json.subarray(0, length)).size).toBeLessThan(3);
  });
});
