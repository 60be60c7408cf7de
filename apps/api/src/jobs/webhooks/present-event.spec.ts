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
    isV2: false,
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

  it.each([
    ['crawl', 'crawl.completed'],
    ['batch', 'batch_scrape.completed'],
  ] as const)('of a %s of /v2 has the fields of both interfaces', (type, name) => {
    expect(presentEvent({ ...job, type, isV2: true }, 'http://files/k')).toEqual({
      ...presentEvent(job, 'http://files/k'),
      ...{ success: true, type: name, id: job.id, data: [], metadata: {} },
    });
  });

  it('has null for a missing result', () => {
    expect(presentEvent({ ...job, status: 'failed' }, null).result_url).toBeNull();
  });
});
