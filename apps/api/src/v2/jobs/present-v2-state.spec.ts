import fc from 'fast-check';
import { JOB_STATUSES } from '@app/contracts';
import type { JobEntity } from '@app/jobs';
import { presentV2State } from './v2-jobs.service.js';

const JOB = {
  id: '018f0000-0000-7000-8000-000000000001',
  tenantId: '018f0000-0000-7000-8000-000000000002',
  type: 'crawl',
  url: 'http://a.example/',
  scopeUrl: null,
  status: 'completed',
  options: {} as JobEntity['options'],
  webhookUrl: null,
  pageLimit: 10,
  ...{ discovered: 9, pending: 0, leased: 0, scraped: 4, failed: 1, skipped: 4, cancelled: 0 },
  discoveryCapped: false,
  error: null,
  resultKey: 'k',
  createdAt: new Date('2026-01-02T03:04:05.000Z'),
  startedAt: null,
  completedAt: new Date('2026-01-02T03:05:05.000Z'),
  deadlineAt: new Date('2026-01-05T03:04:05.000Z'),
  expiredAt: null,
} satisfies JobEntity;
const state = (more: Partial<JobEntity> = {}) =>
  presentV2State({ ...JOB, ...more }, { resultDays: 30 });

describe('the state of a job under /v2', () => {
  it('has every field that clients read', () => {
    expect(state()).toEqual({
      ...{ success: true, status: 'completed', total: 5, completed: 5, creditsUsed: 4 },
      ...{ expiresAt: '2026-02-01T03:05:05.000Z', next: null },
      ...{ createdAt: '2026-01-02T03:04:05.000Z', completedAt: '2026-01-02T03:05:05.000Z' },
    });
  });

  it('of a failed job is a success with its error, and repeats the warning of the start', () => {
    const options = { ...JOB.options, v2: { warning: 'Options that were ignored: x.' } };
    expect(state({ status: 'failed', error: 'No page', options })).toMatchObject({
      ...{ success: true, status: 'failed', error: 'No page' },
      warning: 'Options that were ignored: x.',
    });
  });

  it.each(JOB_STATUSES)('has one of four words for %s', (status) => {
    expect(['scraping', 'completed', 'failed', 'cancelled']).toContain(state({ status })['status']);
  });

  it('of a batch counts its URLs, whatever became of them', () => {
    expect(state({ type: 'batch', pending: 2, discovered: 11 })).toMatchObject({
      ...{ total: 11, completed: 9 },
    });
  });

  it('never has more completed than total, nor less than the documents', () => {
    const count = fc.nat({ max: 20 });
    const counts = fc.record({
      ...{ pending: count, leased: count, scraped: count, failed: count, skipped: count },
      ...{ cancelled: count, pageLimit: count, type: fc.constantFrom('crawl', 'batch') },
    });
    fc.assert(
      fc.property(counts, ({ pageLimit, type, ...pages }) => {
        const discovered = Object.values(pages).reduce((sum, n) => sum + n, 0);
        const shown = state({ ...pages, pageLimit, type: type as 'crawl' | 'batch', discovered });
        expect(Number(shown['total'])).toBeGreaterThanOrEqual(Number(shown['completed']));
        expect(Number(shown['completed'])).toBeGreaterThanOrEqual(pages.scraped);
        expect(shown['creditsUsed']).toBe(pages.scraped);
      }),
    );
  });
});
