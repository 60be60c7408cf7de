import { NOTHING_AGREED } from '../tenants/tenants.js';
import { countedIn, windowOf } from './rate-plan.js';

describe('where a request counts', () => {
  it.each([
    ['free', 10, 60],
    ['hobby', 60, 60],
    ['pro', 200, 200],
    ['scale', 600, 600],
    ['custom', 3_000, 3_000],
  ] as const)('on the plan %s: %i calls a minute, %i questions', (plan, calls, polls) => {
    const tenant = { plan, agreed: NOTHING_AGREED };
    expect(countedIn(windowOf(false), tenant)).toEqual({
      window: 'calls',
      limit: calls,
    });
    expect(countedIn(windowOf(true), tenant)).toEqual({
      window: 'polls',
      limit: polls,
    });
  });

  it.each([
    [100_000, 100_000, 100_000],
    [5, 5, 60],
  ])('an agreed figure of %i replaces the plan', (agreed, calls, polls) => {
    const own = { ...NOTHING_AGREED, requestsPerMinute: agreed };
    const tenant = { plan: 'custom', agreed: own } as const;
    expect(countedIn(windowOf(false), tenant).limit).toBe(calls);
    expect(countedIn(windowOf(true), tenant).limit).toBe(polls);
  });
});
