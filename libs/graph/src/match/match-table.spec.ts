import { fieldRule, type MatchTable, scoreByTable } from './match-table.js';

interface Thing {
  readonly color?: string;
  readonly size?: number;
}

const THINGS: MatchTable<Thing, unknown> = {
  threshold: 5,
  fields: [
    fieldRule<Thing, unknown, 'same' | 'different'>({
      field: 'color',
      weights: { same: 3, different: -4 },
      compare: (a, b) => {
        if (a.color === undefined || b.color === undefined) return undefined;
        return { level: a.color === b.color ? 'same' : 'different' };
      },
    }),
    fieldRule<Thing, unknown, 'near'>({
      field: 'size',
      weights: { near: 2 },
      compare: (a, b) => ({ level: 'near', shift: Math.abs((a.size ?? 0) - (b.size ?? 0)) / -3 }),
    }),
  ],
  correct: (reasons) =>
    reasons.get('color')?.level === 'same' ? [{ field: 'both', level: 'x', weight: 0.5 }] : [],
};

describe('scoreByTable', () => {
  it('adds up the weights of the levels, their shifts and the corrections', () => {
    expect(
      scoreByTable(
        THINGS,
        [
          { color: 'red', size: 1 },
          { color: 'red', size: 2 },
        ],
        {},
      ),
    ).toEqual({
      score: 5.17,
      isMatch: true,
      reasons: [
        { field: 'color', level: 'same', weight: 3 },
        { field: 'size', level: 'near', weight: 1.67 },
        { field: 'both', level: 'x', weight: 0.5 },
      ],
    });
  });

  it('matches from the threshold on', () => {
    const thing = { color: 'red', size: 1 };
    expect(scoreByTable({ ...THINGS, threshold: 5.5 }, [thing, thing], {}).isMatch).toBe(true);
    expect(scoreByTable({ ...THINGS, threshold: 5.51 }, [thing, thing], {}).isMatch).toBe(false);
  });

  it('has no reason for a field that a record lacks', () => {
    const { reasons } = scoreByTable(THINGS, [{}, { color: 'red' }], {});
    expect(reasons.map(({ field }) => field)).toEqual(['size']);
  });
});
