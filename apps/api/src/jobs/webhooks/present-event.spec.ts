import { presentEvent } from './present-event.js';

describe('the event of a job', () => {
  const job = {
    tenantId: '0190a2b4-0000-7000-8000-000000000002',
    id: '0190a2b4-0000-7000-8000-000000000001',
    type: 'crawl',
    status: 'completed',
    url: 'http://site.example/',
    scraped: 3,
    resultKey: 'k',
    completedAt: new Date('2026-01-02T03:04:05.678Z'),
  } as const;

  it('has exactly the fields of the specification, in their order', () => {
    expect(JSON.stringify(presentEvent(job, 'http://files/k'))).toBe(
      JSON.stringify({
        jobId: job.id,
        status: 'completed',
        url: 'http://site.example/',
        pages_scraped: 3,
        result_url: 'http://files/k',
        completed_at: '2026-01-02T03:04:05.678Z',
      }),
    );
  });

  it('has null for a missing result', () => {
    expect(presentEvent({ ...job, status: 'failed' }, null).result_url).toBeNull();
  });
});
