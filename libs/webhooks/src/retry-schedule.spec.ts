import { retryAfterHeaderMs, MAX_ATTEMPTS, RETRY_WAITS_MS, retryWaitMs } from './send-webhook.js';

const HOUR_MS = 3_600_000;
const MIDDLE = 0.5;

describe('the schedule of a webhook', () => {
  it('is that of Standard Webhooks: ten attempts over three days', () => {
    const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, n) =>
      retryWaitMs(n + 1, MIDDLE, null),
    );
    expect(waits).toEqual(RETRY_WAITS_MS);
    const hours = RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0) / HOUR_MS;
    expect(hours).toBeCloseTo(75.585, 2);
    expect(MAX_ATTEMPTS).toBe(10);
  });

  it('ends after the last attempt, whatever the receiver requests', () => {
    expect(retryWaitMs(MAX_ATTEMPTS, MIDDLE, null)).toBeNull();
    expect(retryWaitMs(MAX_ATTEMPTS, MIDDLE, 1_000)).toBeNull();
  });

  it.each(RETRY_WAITS_MS.map((wait, at) => [at + 1, wait]))(
    'spreads the wait after attempt %i by a tenth to either side',
    (attempts, wait) => {
      expect(retryWaitMs(attempts, 0, null)).toBeCloseTo(0.9 * wait, 5);
      expect(retryWaitMs(attempts, 1, null)).toBeCloseTo(1.1 * wait, 5);
    },
  );

  it.each([
    ['longer than the schedule', 60_000, 60_000],
    ['shorter than the schedule', 1_000, 5_000],
    ['none at all', 0, 5_000],
    ['a day', 24 * HOUR_MS, 24 * HOUR_MS],
    ['more than a day', 24 * HOUR_MS + 1, 24 * HOUR_MS],
    ['a century', 100 * 365 * 24 * HOUR_MS, 24 * HOUR_MS],
  ])('respects a Retry-After within limits: %s', (_, asked, given) => {
    expect(retryWaitMs(1, MIDDLE, asked)).toBe(given);
  });
});

describe('Retry-After', () => {
  const NOW_MS = Date.UTC(2026, 0, 1);

  it.each<[string, number, string | undefined, number | null]>([
    ['seconds', 429, '120', 120_000],
    ['seconds with a 503', 503, ' 7 ', 7_000],
    ['a date', 503, new Date(NOW_MS + 90_000).toUTCString(), 90_000],
    ['a date that has passed', 429, new Date(NOW_MS - 90_000).toUTCString(), 0],
    ['nothing', 429, undefined, null],
    ['nonsense', 429, 'soon', null],
    ['a negative number', 429, '-5', null],
    ['with a status it is not meant for', 500, '120', null],
    ['with a redirect', 302, '120', null],
  ])('is read: %s', (_, status, header, expected) => {
    expect(retryAfterHeaderMs(status, header, NOW_MS)).toBe(expected);
  });
});
