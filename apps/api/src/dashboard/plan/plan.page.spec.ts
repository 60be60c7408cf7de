import { PLAN_LIMITS } from '@app/contracts';
import { ownLimits } from './plan.page.js';

const NOTHING = { monthlyCredits: null, requestsPerMinute: null, concurrentRequests: null };
const valuesOf = (limits: ReturnType<typeof ownLimits>) =>
  Object.fromEntries(limits.map(({ title, value, isAgreed }) => [title, [value, isAgreed]]));

describe('the limits of an account', () => {
  it("are its plan's", () => {
    expect(valuesOf(ownLimits({ plan: 'free', agreed: NOTHING }))).toMatchObject({
      'Credits a month': ['1,000', false],
      'Requests a minute': [String(PLAN_LIMITS.free.requestsPerMinute), false],
    });
  });

  it('are those of the agreement, if there is one', () => {
    const agreed = { monthlyCredits: 5_000, requestsPerMinute: 100_000, concurrentRequests: 7 };
    expect(valuesOf(ownLimits({ plan: 'custom', agreed }))).toMatchObject({
      'Credits a month': ['5,000', true],
      'Requests a minute': ['100,000', true],
      'Concurrent calls': ['7', true],
    });
  });

  it('are unlimited without a figure', () => {
    expect(valuesOf(ownLimits({ plan: 'custom', agreed: NOTHING }))).toMatchObject({
      'Credits a month': ['unlimited', false],
      'Concurrent calls': ['unlimited', false],
    });
  });
});
