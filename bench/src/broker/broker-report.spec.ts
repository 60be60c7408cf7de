import { brokerReport } from './broker-report.js';

const MB = 1_048_576;
const samples = [90, 100, 101, 99].map((mb, at) => ({
  atMs: at * 500,
  scraped: at * 333,
  residentBytes: mb * MB,
  waiting: at * 10,
}));
const reports = [
  { rssBytes: 1, usedBytes: 70 * MB, quorumQueueBytes: MB, quorumTableBytes: 2 * MB },
  { rssBytes: 1, usedBytes: 75 * MB, quorumQueueBytes: MB, quorumTableBytes: 4 * MB },
];
const crawl = { samples, reports, problem: null, seconds: 12, pages: 1_000 };

describe('the report of the broker suite', () => {
  it('reports memory, queue and verdict', () => {
    expect(brokerReport(crawl).split('\n')).toEqual([
      '1000 pages in 12.0 s, 4 readings of the broker',
      'resident memory at its start: 90.0 MB',
      'after its first tenth (3 readings): median 100.0 MB, lowest -1.0, highest +1.0, first to last quarter -1.0 MB',
      'by its own count (2 reports): in use 70.0 MB to 75.0 MB, quorum queues 1.0 MB to 1.0 MB, their tables 2.0 MB to 4.0 MB',
      'messages waiting for a fetcher at a time: at most 30',
      'flat within ±10 MB: yes',
    ]);
  });

  it('reports when the broker did not respond, and when its memory changed', () => {
    const moved = samples.map((sample, at) => ({
      ...sample,
      residentBytes: sample.residentBytes + (at === 3 ? 14 * MB : 0),
    }));
    const text = brokerReport({ ...crawl, samples: moved, problem: 'no rabbitmqctl' });
    expect(text).toContain("the broker's own figures are missing: no rabbitmqctl");
    expect(text).toContain('flat within ±10 MB: NO');
  });
});
