import { paceText, progressOf } from './live-job.js';

const NONE = {
  discovered: 0,
  pending: 0,
  leased: 0,
  scraped: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};
const running = (counts: Partial<typeof NONE>, limit: number) =>
  progressOf({ pages: { ...NONE, ...counts }, limit, isEnded: false });

describe('the progress of a job', () => {
  it.each([
    [
      '87 of a limit of 100, with 223 known URLs',
      { discovered: 223, scraped: 87, pending: 136 },
      100,
      '87 %: 87 of 100 pages scraped',
    ],
    [
      'a site smaller than the limit',
      { discovered: 40, scraped: 30, failed: 2, pending: 8 },
      100,
      '80 %: 32 of 40 pages done',
    ],
    [
      'a batch in which all URLs fail',
      { discovered: 100, failed: 50, pending: 50 },
      100,
      '50 %: 50 of 100 pages done',
    ],
    ['a crawl that has started', { discovered: 1, leased: 1 }, 100, '0 %: 0 of 100 pages scraped'],
    [
      'skipped URLs, which are no progress',
      { discovered: 1_000, skipped: 900, pending: 100 },
      50,
      '0 %: 0 of 50 pages scraped',
    ],
    [
      'all but one of very many',
      { discovered: 5_000, scraped: 1_999, pending: 1 },
      2_000,
      '99 %: 1,999 of 2,000 pages scraped',
    ],
    ['no known URLs yet', {}, 10, '0 %: 0 of 10 pages scraped'],
  ])('of %s', (_name, counts, limit, text) => {
    expect(running(counts, limit).text).toBe(text);
  });

  it.each([0, 1, 41])('is complete when the job has ended with %i pages', (scraped) => {
    const { done, total, text } = progressOf({
      pages: { ...NONE, discovered: 90, scraped },
      limit: 100,
      isEnded: true,
    });
    expect(done).toBe(total);
    expect(text).toBe(`${scraped} ${scraped === 1 ? 'page' : 'pages'} scraped`);
  });

  it.each([
    [4, 100, 10_000, ''],
    [5, 100, 900, ''],
    [50, 100, 10_000, ', 5.0 a second, about 10 s left'],
    [400, 1_000, 20_000, ', 20 a second, about 30 s left'],
    [30, 1_000, 60_000, ', 30 a minute, about 32 min left'],
    [10, 10_000, 600_000, ', 1.0 a minute, about 167 h left'],
    [100, 100, 10_000, ', 10 a second, about 0 s left'],
  ])('says how fast it is: %i of %i after %i ms', (done, total, elapsedMs, text) => {
    expect(paceText({ done, total }, elapsedMs)).toBe(text);
  });
});
