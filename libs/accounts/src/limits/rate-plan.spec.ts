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
    expect(countedIn({ method: 'POST', route: '/v1/scrape' }, tenant)).toEqual({
      window: 'calls',
      limit: calls,
    });
    expect(countedIn({ method: 'GET', route: '/v1/jobs/:id' }, tenant)).toEqual({
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
    expect(countedIn({ method: 'POST', route: '/v1/map' }, tenant).limit).toBe(calls);
    expect(countedIn({ method: 'GET', route: '/v1/crawl/:id' }, tenant).limit).toBe(polls);
  });

  it.each([
    ['GET', '/v1/jobs/:id', 'polls'],
    ['HEAD', '/v1/jobs/:id', 'polls'],
    ['GET', '/v1/crawl/:id', 'polls'],
    ['GET', '/v1/crawl/:id/events', 'polls'],
    ['GET', '/v1/data/deletions/:id', 'polls'],
    ['GET', '/v2/crawl/:id', 'polls'],
    ['GET', '/v2/batch/scrape/:id', 'polls'],
    ['DELETE', '/v2/crawl/:id', 'calls'],
    ['DELETE', '/v1/crawl/:id', 'calls'],
    ['GET', '/v1/crawl/:id/results', 'calls'],
    ['GET', '/v1/crawl/:id/urls', 'calls'],
    ['GET', '/v1/jobs', 'calls'],
    ['POST', '/v1/crawl', 'calls'],
    ['POST', '/v1/jobs/:id', 'calls'],
    ['GET', undefined, 'calls'],
  ])('%s %s is one of the %s', (method, route, window) => {
    const leastLimit = window === 'polls' ? 60 : 0;
    expect(windowOf({ method, route })).toEqual({ window, leastLimit });
  });
});
