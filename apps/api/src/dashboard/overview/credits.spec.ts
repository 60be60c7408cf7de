import type { CreditBalance } from '@app/accounts';
import { creditFigures } from './overview.routes.js';

const BALANCE: CreditBalance = {
  state: 'ok',
  period: '2026-03',
  priorPeriodsUnresolved: false,
  granted: 1_000,
  toppedUp: 0,
  spent: 58,
  overage: 0,
  remaining: 942,
  enrich: { granted: 0, toppedUp: 0, remaining: 0 },
  kyb: { granted: 0, toppedUp: 0, remaining: 0 },
};

/** Titles and values in reading order. */
function shown(balance: Partial<CreditBalance>): readonly (readonly string[])[] {
  const text = creditFigures('pro', { ...BALANCE, ...balance }).toString();
  return [...text.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/g)].map(
    ([, title = '', value = '']) => [title, value.replace(/<[^<>]*>/g, '')],
  );
}
const textOf = (state: CreditBalance['state']): string =>
  creditFigures('pro', { ...BALANCE, state }).toString();

describe('credits on the overview', () => {
  it('show the balance, usage and grant', () => {
    expect(shown({})).toEqual([
      ['Credits left', '942'],
      ['Spent this month', '58'],
      ['Granted this month', '1,000'],
      ['Plan', 'Pro'],
    ]);
  });

  it('show top-ups and overage, if any', () => {
    const titles = shown({ toppedUp: 50, overage: 7 }).map(([title]) => title);
    expect(titles).toEqual(expect.arrayContaining(['Of top-ups', 'Beyond the grant']));
  });

  it('show the balance of the other pools, if any', () => {
    const enrich = { granted: 1_000, toppedUp: 0, remaining: 998 };
    const kyb = { granted: 0, toppedUp: 5, remaining: 5 };
    expect(shown({ enrich, kyb }).slice(3)).toEqual([
      ['Enrich credits left', '998 of 1,000 granted'],
      ['KYB credits left', '5 of 0 granted, 5 of top-ups'],
      ['Plan', 'Pro'],
    ]);
    const empty = { granted: 1_000, toppedUp: 0, remaining: 0 };
    expect(shown({ enrich: empty })).toContainEqual(['Enrich credits left', '0 of 1,000 granted']);
    const unbounded = { granted: 0, toppedUp: 3, remaining: null };
    expect(shown({ remaining: null, enrich: unbounded, kyb: unbounded })).toHaveLength(3);
  });

  it('show no grant if unlimited', () => {
    expect(shown({ remaining: null }).slice(0, 2)).toEqual([
      ['Credits left', 'Unlimited'],
      ['Spent this month', '58'],
    ]);
    expect(shown({ remaining: null })).toHaveLength(3);
  });

  it('show no figures that could not be read', () => {
    expect(shown({ state: 'unavailable' })).toEqual([['Plan', 'Pro']]);
    expect(textOf('unavailable')).toContain('cannot be read');
  });

  it.each([
    ['grant_pending', 'when the payment of the plan has arrived'],
    ['grant_failed', 'are withheld'],
    ['reconciling', 'checked against the credit ledger'],
  ] as const)('show the state %s', (state, text) => {
    expect(textOf(state)).toContain(text);
    expect(textOf('ok')).not.toContain(text);
  });
});
