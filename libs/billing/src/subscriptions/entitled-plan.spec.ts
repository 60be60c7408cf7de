import type { PlanPrice } from '@app/config';
import type { Subscription } from '@app/providers';
import { paidPlanOf, standingOf, UnknownPriceError } from './entitled-plan.js';

const PRICES: readonly PlanPrice[] = [
  { plan: 'hobby', priceId: 'p_hobby' },
  { plan: 'pro', priceId: 'p_pro' },
  { plan: 'pro', priceId: 'p_pro_year' },
  { plan: 'scale', priceId: 'p_scale' },
];
const END = new Date('2027-01-01T00:00:00Z');

function subscription(id: string, priceIds: readonly string[], isLive = true): Subscription {
  const items = priceIds.map((priceId, at) => ({
    ...{ id: `${id}_${at}`, priceId, periodStart: null, periodEnd: END },
  }));
  const state = isLive ? 'active' : 'unpaid';
  return { id, state, isLive, isOverdue: false, items, endsAt: null };
}

describe('the plan that subscriptions entitle to', () => {
  it.each<[string, readonly Subscription[], string, string | null]>([
    ['nothing', [], 'free', null],
    ['one', [subscription('a', ['p_pro'])], 'pro', 'a'],
    ['a yearly price', [subscription('a', ['p_pro_year'])], 'pro', 'a'],
    ['one that is over', [subscription('a', ['p_pro'], false)], 'free', 'a'],
    [
      'the highest of two',
      [subscription('a', ['p_hobby']), subscription('b', ['p_scale'])],
      'scale',
      'b',
    ],
    [
      'the highest, whichever is first',
      [subscription('b', ['p_scale']), subscription('a', ['p_hobby'])],
      'scale',
      'b',
    ],
    [
      'the live one of two',
      [subscription('a', ['p_hobby']), subscription('b', ['p_scale'], false)],
      'hobby',
      'a',
    ],
    ['the item that is a plan', [subscription('a', ['p_seats', 'p_pro'])], 'pro', 'a'],
    [
      'the one that is ours',
      [subscription('a', ['p_else']), subscription('b', ['p_pro'])],
      'pro',
      'b',
    ],
    ['one without items that is over', [subscription('a', [], false)], 'free', 'a'],
  ])('is the plan of %s', (_what, subscriptions, plan, subscriptionId) => {
    expect(standingOf(subscriptions, PRICES)).toMatchObject({ plan, subscriptionId });
  });

  it('is until when it is paid', () => {
    expect(standingOf([subscription('a', ['p_pro'])], PRICES)).toMatchObject({
      ...{ subscriptionState: 'active', payment: 'confirmed', periodEnd: END, endsAt: null },
    });
  });

  it('stays while a payment is retried, and its status shows it', () => {
    const overdue = { ...subscription('a', ['p_pro']), state: 'past_due', isOverdue: true };
    expect(standingOf([overdue], PRICES)).toMatchObject({ plan: 'pro', payment: 'failed' });
  });

  it('is not known when only unknown prices are paid', () => {
    const odd = [subscription('a', ['p_else', 'p_seats'])];
    expect(() => standingOf(odd, PRICES)).toThrow(UnknownPriceError);
    expect(() => standingOf(odd, PRICES)).toThrow(
      'STRIPE_PRICES names no plan for p_else, p_seats',
    );
    expect(paidPlanOf(odd, PRICES)).toBeNull();
  });
});
