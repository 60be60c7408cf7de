import { mergeAnswers } from './merge-answers.js';

const q = (quote: string) => ({ quote });
const merge = (...values: unknown[]) =>
  mergeAnswers(values.map((value) => ({ value, quotes: {} }))).value;

describe('merging the answers of parts', () => {
  it.each<[string, unknown[], unknown]>([
    ['nothing', [], null],
    ['one', [{ a: 1, b: [1, 1] }], { a: 1, b: [1, 1] }],
    [
      'the first that is said counts',
      [{ a: null, b: 1 }, { a: 2, b: 3 }, { a: 4 }],
      { a: 2, b: 1 },
    ],
    ['false is said', [{ a: false }, { a: true }], { a: false }],
    [
      'lists are joined',
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      ['a', 'b', 'c'],
    ],
    ['a list that was empty', [{ l: [] }, { l: [1] }, { l: null }], { l: [1] }],
    ['what one part lists twice stays', [['a'], ['b', 'b']], ['a', 'b', 'b']],
    ['objects nest', [{ o: { a: 1, b: null } }, { o: { a: 2, b: 3 } }], { o: { a: 1, b: 3 } }],
    [
      'items are completed',
      [
        [{ n: 'A', p: null }],
        [
          { n: 'A', p: 5 },
          { n: 'B', p: 6 },
        ],
      ],
      [
        { n: 'A', p: 5 },
        { n: 'B', p: 6 },
      ],
    ],
    [
      'items that differ are two',
      [[{ n: 'A', p: 4 }], [{ n: 'A', p: 5 }]],
      [
        { n: 'A', p: 4 },
        { n: 'A', p: 5 },
      ],
    ],
    [
      'lists in items are joined too',
      [[{ n: 'A', t: [1] }], [{ n: 'A', t: [1, 2] }]],
      [{ n: 'A', t: [1, 2] }],
    ],
    ['kinds that differ: the first', [{ a: [1] }, { a: 'x' }], { a: [1] }],
    [
      'order of members does not matter',
      [[{ a: { x: 1, y: 2 } }], [{ a: { y: 2, x: 1 } }]],
      [{ a: { x: 1, y: 2 } }],
    ],
  ])('%s', (_what, parts, merged) => {
    expect(merge(...parts)).toEqual(merged);
  });

  it('moves each quote with its value', () => {
    const merged = mergeAnswers([
      { value: { a: null, l: [{ n: 'A' }] }, quotes: { '/l/0/n': q('one') } },
      {
        value: { a: 1, 'x/y': 'z', l: [{ n: 'A', p: 5 }, { n: 'B' }] },
        quotes: {
          '/a': q('two'),
          '/x~1y': q('three'),
          '/l/0/n': q('other'),
          '/l/0/p': q('four'),
          '/l/1/n': q('five'),
        },
      },
    ]);
    expect(merged).toEqual({
      value: { a: 1, 'x/y': 'z', l: [{ n: 'A', p: 5 }, { n: 'B' }] },
      quotes: {
        '/a': q('two'),
        '/x~1y': q('three'),
        '/l/0/n': q('one'),
        '/l/0/p': q('four'),
        '/l/1/n': q('five'),
      },
    });
  });

  describe('of many items', () => {
    const part = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ n: `item ${from + at}`, same: 'x' }));
    const alike = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ kind: 'same', at }));

    it('joins those of one name and those that are the same', () => {
      expect(merge(part(0, 5_000), part(2_500, 5_000))).toHaveLength(7_500);
      expect(merge(alike(5_000), alike(5_000).slice(2_500))).toHaveLength(5_000);
    });
  });
});
