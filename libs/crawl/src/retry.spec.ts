import { isTransient, retryDelayMs } from './retry.js';

describe('retries of a page', () => {
  it.each([
    ['timeout', null, true],
    ['network', null, true],
    ['http_error', 429, true],
    ['http_error', 503, true],
    ['http_error', 404, false],
    ['robots', null, false],
    ['parse_error', 200, false],
  ] as const)('%s with status %s is transient: %s', (errorClass, status, expected) => {
    expect(isTransient(errorClass, status)).toBe(expected);
  });

  it.each([
    [1, null, 1_000],
    [2, null, 4_000],
    [3, null, 16_000],
    [10, null, 60_000],
    [1, 30_000, 30_000],
    [3, 10, 16_000],
    [1, 9_999_999_000, 600_000],
  ])('after attempt %i with Retry-After %s waits %i ms', (attempts, retryAfterMs, expected) => {
    expect(retryDelayMs(attempts, retryAfterMs)).toBe(expected);
  });
});
