import type { RobotsFailure } from '@app/fetch';
import { unreadableRobots } from './robots-gate.js';

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
  });
});
