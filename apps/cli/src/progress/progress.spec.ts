import type { JobSnapshot } from '@app/client';
import { captureTerminal } from '../../test/captured-terminal.js';
import { CrawlCounts, duration } from './crawl-progress.js';
import { showProgress } from './progress-views.js';

function job(status: JobSnapshot['status'], pages: Partial<JobSnapshot['pages']>): JobSnapshot {
  const none = { discovered: 0, pending: 0, leased: 0, scraped: 0, failed: 0, skipped: 0 };
  return {
    ...{ id: 'j', type: 'crawl', url: 'u', status, pages_scraped: 0, created_at: '', error: null },
    ...{ completed_at: null, result_url: null, skipped: {}, failed: {}, discovery_capped: false },
    pages: { ...none, cancelled: 0, ...pages },
  };
}

describe('the counts of a crawl', () => {
  it('show pages, rate, time left, failures and state', () => {
    let now = 0;
    const counts = new CrawlCounts(50, 0, () => now);
    expect(counts.describe()).toBe('0/50 pages, queued');
    counts.status(job('running', { scraped: 5, pending: 300, failed: 1 }));
    for (let no = 1; no <= 11; no++) {
      now = no * 500;
      counts.page(no);
    }
    expect(counts.describe()).toBe('11/50 pages, 2.0/s, 20 s left, 1 failed, running');
    counts.status(job('processing', { scraped: 50 }));
    counts.page(50);
    expect(counts.describe()).toBe('50/50 pages, writing the result file');
  });

  it('expect the pages of a small site, and none that are not known', () => {
    const counts = new CrawlCounts(50);
    counts.status(job('running', { scraped: 2, pending: 3, leased: 1 }));
    expect(counts.expected).toBe(6);
    expect(new CrawlCounts(undefined).describe()).toBe('0/? pages, queued');
  });

  it.each([
    [0, '0 s'],
    [59.2, '1 min 0 s'],
    [61, '1 min 1 s'],
    [7_260, '2 h 1 min'],
  ])('name a time: %i', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

describe('progress', () => {
  afterEach(() => jest.useRealTimers());

  const usual = { limit: 4, received: 0, quiet: false, isCrowded: false };

  it('is a bar on a terminal, which is gone afterwards', () => {
    jest.useFakeTimers();
    const { terminal, errors } = captureTerminal({ errors: true });
    const progress = showProgress({ ...usual, terminal });
    progress.onStatus(job('running', { scraped: 2, pending: 2 }));
    progress.onPage(2);
    jest.advanceTimersByTime(100);
    expect(errors()).toContain('\r\u001b[2K[############............] 2/4 pages');
    progress.note('note');
    progress.stop();
    expect(errors()).toMatch(/\u001b\[2Knote\n.*\r\u001b\[2K$/s);
    const { length } = errors();
    jest.advanceTimersByTime(1_000);
    expect(errors()).toHaveLength(length);
  });

  it.each([
    ['no terminal', false, false],
    ['pages on the same terminal', true, true],
  ])('is a line per state with %s', (_, isShown, isCrowded) => {
    const { terminal, errors } = captureTerminal({ errors: isShown });
    const progress = showProgress({ ...usual, terminal, isCrowded });
    for (const status of ['running', 'running', 'completed'] as const)
      progress.onStatus(job(status, { scraped: 1, pending: 3 }));
    expect(errors()).toBe('0/4 pages, running\n0/4 pages, completed\n');
  });

  it('is silent with --quiet', () => {
    const { terminal, errors } = captureTerminal({ errors: true });
    const progress = showProgress({ ...usual, terminal, quiet: true });
    progress.onStatus(job('running', {}));
    progress.onPage(1);
    progress.note('note');
    progress.stop();
    expect(errors()).toBe('');
  });
});
