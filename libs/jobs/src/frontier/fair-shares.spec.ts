import { inTurns, shareOf } from './dispatch-rounds.js';

describe('the share of the job with the fewest pages in flight', () => {
  it.each<[string, number[], number, number]>([
    ['all, when no other tenant wants any', [3], 10, 10],
    ['all, as long as it stays behind the others', [0, 16], 2, 2],
    ['the difference to the other, and half of the rest', [2, 6], 10, 7],
    ['half, when both have the same', [5, 5], 10, 5],
    ['one of a few, when there are more tenants than pages', [0, 0, 0], 2, 1],
    ['nothing of nothing', [0, 4], 0, 0],
  ])('is %s', (_, busy, room, expected) => {
    expect(shareOf(busy, room)).toBe(expected);
  });

  it('leaves a fair share to the others, one after the other', () => {
    const busy = [0, 4, 9];
    let left = 12;
    const shares = busy.map((_, n) => {
      const share = shareOf(busy.slice(n), left);
      left -= share;
      return share;
    });
    expect(shares).toEqual([8, 4, 0]);
  });
});

describe('turns', () => {
  it('are taken one after the other, as long as there are any', () => {
    expect(inTurns([['a', 'b', 'c'], [], ['x', 'y']])).toEqual(['a', 'x', 'b', 'y', 'c']);
  });
});
