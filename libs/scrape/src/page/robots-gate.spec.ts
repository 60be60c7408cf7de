import { Deadline } from '@app/contracts';
import type { RobotsCache, RobotsFailure, UseFiles } from '@app/fetch';
import { Metrics } from '@app/telemetry';
import { RobotsGate, unreadableRobots } from './robots-gate.js';
import { SiteUses } from './site-uses.js';

const failure = (over: Partial<RobotsFailure>): RobotsFailure => ({
  errorClass: 'network',
  statusCode: null,
  hostCode: null,
  ...over,
});

describe('a site whose robots.txt cannot be read', () => {
  it.each<[Partial<RobotsFailure>, string]>([
    [
      { hostCode: 'ENOTFOUND' },
      'Fetch failed: the host a.example:8080 was not found in DNS; check its spelling',
    ],
    [{ hostCode: 'ECONNREFUSED' }, 'Fetch failed: the host a.example:8080 refused the connection'],
    [
      { hostCode: 'EHOSTUNREACH' },
      'Fetch failed: the host a.example:8080 cannot be reached from here',
    ],
    [
      { hostCode: 'ECONNRESET' },
      'Fetch failed: robots.txt of the site could not be read (network), so the page was not requested',
    ],
    [
      { errorClass: 'timeout', hostCode: 'headers_timeout' },
      'Fetch failed: robots.txt of the site could not be read (timeout), so the page was not requested',
    ],
    [
      { errorClass: 'http_error', statusCode: 503 },
      'Fetch failed: robots.txt of the site could not be read (HTTP 503), so the page was not requested',
    ],
  ])('%j is reported as what it is', (over, problem) => {
    const page = unreadableRobots(new URL('http://a.example:8080/x'), failure(over));
    expect(page).toMatchObject({ problem, errorClass: over.errorClass ?? 'network' });
    // A host that is not there has no robots.txt to blame.
    expect(page.isRobotsUnread === true).toBe(problem.includes('robots.txt'));
  });
});

describe('a redirect', () => {
  const gate = new RobotsGate(
    {
      rulesFor: async () => ({
        failure: null,
        crawlDelayMs: 2_000,
        sitemaps: [],
        isAllowed: ({ pathname }: URL) => pathname !== '/private',
      }),
    } as unknown as RobotsCache,
    new SiteUses({} as UseFiles),
    new Metrics(),
  );
  const follow = (path: string, ignoreRobotsTxt = false) =>
    gate.followRedirect(new URL(path, 'http://a.example/'), {
      deadline: Deadline.after(60_000),
      ignoreRobotsTxt,
    });

  it('to a page that robots.txt forbids is not followed', async () => {
    await expect(follow('/private')).rejects.toMatchObject({
      name: 'RedirectRefused',
      failure: { errorClass: 'robots' },
    });
    expect(await follow('/private', true)).toBeUndefined();
    expect(await follow('/public')).toBe(2_000);
  });
});
