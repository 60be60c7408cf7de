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
    changes: null,
  } as const;
  const links = { resultUrl: 'http://files/k', publicUrl: 'http://api.example/base/' };

  it('has exactly the fields of the specification, in their order', () => {
    expect(JSON.stringify(presentEvent(job, links))).toBe(
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
    expect(presentEvent({ ...job, type, isV2: true }, links)).toEqual({
      ...presentEvent(job, links),
      ...{ success: true, type: name, id: job.id, data: [], metadata: {} },
    });
  });

  it.each([
    [
      { new: 1, same: 7 },
      { new: 1, changed: 0, same: 7, gone: 0 },
    ],
    [{}, { new: 0, changed: 0, same: 0, gone: 0 }],
  ])('of a recrawl has the counts of %j, and where to read the changes', (changes, shown) => {
    expect(presentEvent({ ...job, changes }, links)).toEqual({
      ...presentEvent(job, links),
      ...{ changes: shown, changes_url: `http://api.example/base/v1/crawl/${job.id}/changes` },
    });
  });

  it('has null for a missing result', () => {
    expect(
      presentEvent({ ...job, status: 'failed' }, { ...links, resultUrl: null }).result_url,
    ).toBeNull();
  });
});
