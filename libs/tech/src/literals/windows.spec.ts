import { piecesFor } from './windows.js';

const whole = (text: string) => ({ text, isStart: true, isEnd: true });
const near = { reachChars: 4, place: 'anywhere', judgesWords: false } as const;

describe('piecesFor', () => {
  it('returns the reach of a match around each run, and joins runs that meet', () => {
    const text = '0123456789'.repeat(4);
    expect([...piecesFor(whole(text), near, [10, 12, 17, 18, 30, 31])]).toEqual([
      text.slice(6, 22),
      text.slice(26, 35),
    ]);
    expect([...piecesFor(whole(text), near, [0, 1, 39, 40])]).toEqual([
      text.slice(0, 5),
      text.slice(35),
    ]);
  });

  it('cuts a long text into pieces that overlap by the length of a match', () => {
    const text = 'x'.repeat(40_000);
    const pieces = [...piecesFor(whole(text), near, null)].map(({ length }) => length);
    expect(pieces).toEqual([16_384, 16_384, 40_000 - 2 * 16_380]);
  });

  it('cuts no word when its edges count', () => {
    const words = { ...near, judgesWords: true };
    expect([...piecesFor(whole('some longer words here'), words, [12, 13])]).toEqual([
      'longer words',
    ]);
    const word = 'w'.repeat(3_000);
    expect([...piecesFor(whole(word), words, [1_500, 1_501, 1_600, 1_601])]).toEqual([word]);
  });

  it.each([
    [true, true, ['01234'], ['0123456789']],
    [true, false, ['01234'], []],
    [false, true, [], []],
  ])(
    'of a part that is start %s and end %s gives anchored patterns what they mean',
    (isStart, isEnd, start, all) => {
      const text = { text: '0123456789', isStart, isEnd };
      expect([...piecesFor(text, { ...near, place: 'start' }, null)]).toEqual(start);
      expect([...piecesFor(text, { ...near, place: 'whole' }, null)]).toEqual(all);
    },
  );
});
