import { nodeEnvironment, parseStatus, pssBytes } from './broker-memory.js';
import { parseBrokerOptions } from './broker-options.js';

describe('the report of a broker', () => {
  it('has its totals and what quorum queues hold', () => {
    const memory = {
      total: { rss: 150_000_000, erlang: 80_000_000, allocated: 100_000_000 },
      quorum_queue_procs: 400_000,
      quorum_ets: 3_000_000,
    };
    expect(parseStatus(JSON.stringify({ memory }))).toEqual({
      rssBytes: 150_000_000,
      usedBytes: 80_000_000,
      quorumQueueBytes: 400_000,
      quorumTableBytes: 3_000_000,
    });
  });

  it('of another release has 0 for what it lacks', () => {
    expect(parseStatus('{}').rssBytes).toBe(0);
  });

  it('is called with the settings that find the node, and no more', () => {
    const text = 'HOME=/home/x\0RABBITMQ_NODENAME=a@b\0ERL_EPMD_PORT=4\0ROOTDIR=/y\0LANG=C=D\0';
    expect(nodeEnvironment(text)).toEqual({
      HOME: '/home/x',
      RABBITMQ_NODENAME: 'a@b',
      ERL_EPMD_PORT: '4',
      LANG: 'C=D',
    });
  });
});

describe('the memory of a process', () => {
  it('is that of this one', () => {
    expect(pssBytes(process.pid)).toBeGreaterThan(10_000_000);
  });

  it('is unknown of one that has ended', () => {
    expect(pssBytes(2 ** 22 + 1)).toBeNull();
  });
});

describe('the flags of the broker suite', () => {
  it('have defaults', () => {
    expect(parseBrokerOptions([])).toMatchObject({ pages: 10_000, fetchers: 1, concurrency: 16 });
  });

  it('refuse looks that would be most of the work', () => {
    expect(() => parseBrokerOptions(['--sample-ms', '1'])).toThrow('from 50');
  });
});
