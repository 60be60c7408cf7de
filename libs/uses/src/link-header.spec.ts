import { headerLinks } from './link-header.js';

describe('a Link header', () => {
  it('has links with their parameters, the first of each name', () => {
    const header =
      '<https://a.example/?a=1,2>; rel="Next  last"; title="a, <b>; c"; TYPE="text/HTML; charset=x"; rel=x, </b> ; rel = alternate,<c>';
    expect(headerLinks(header)).toEqual([
      {
        target: 'https://a.example/?a=1,2',
        relations: new Set(['next', 'last']),
        type: 'text/html',
      },
      { target: '/b', relations: new Set(['alternate']), type: '' },
      { target: 'c', relations: new Set(['']), type: '' },
    ]);
  });

  it.each([['<a'], ['a>; rel=x'], ['; rel=license'], ['"'], ['<<<<']])(
    'that is broken has none: %s',
    (header) => {
      expect(headerLinks(header)).toEqual([]);
    },
  );

  it('has a hundred links at most', () => {
    expect(headerLinks('<a>;rel=x,'.repeat(101))).toHaveLength(100);
  });
});
