import { descendantsOf, spawnApp, type FixtureSite, type SpawnedApp } from '@app/testing';
import { freshBucket, type Fresh } from '../setup/test-servers.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import { PressureGate } from './pressure-gate.js';
import {
  expectExactEnd,
  mostLoad,
  PRESSURE_ENV,
  QUEUE_TARGET,
  residentMiB,
  SLOTS,
  startCrawl,
  startLargeSite,
  untilHeld,
  writtenBehind,
  type Load,
  type Watched,
} from './pressure-run.js';

/** Of the fetcher while it holds as many pages as it may; garbage of before is in it. */
const MOST_GROWTH_MIB = 64;

let site: FixtureSite;
beforeAll(async () => {
  site = await startLargeSite();
});
afterAll(() => site.close());

/** Stops what it is given, watches what grows meanwhile, and lets it go on. */
async function stalled(
  watched: Watched,
  stall: { readonly begin: () => void; readonly end: () => void; readonly ms?: number },
): Promise<{ readonly jobId: string; readonly most: Load }> {
  const jobId = await startCrawl(watched);
  const before = await begunHolding(watched, stall);
  try {
    const most = await mostLoad(watched, stall.ms);
    expectBounded(most, before);
    return { jobId, most };
  } finally {
    stall.end();
  }
}

const TRIES = 5;

/** Begins when the fetcher holds pages: there are moments at which a fast one has none, and waits for the next. */
async function begunHolding(
  watched: Watched,
  stall: { readonly begin: () => void; readonly end: () => void },
): Promise<Pick<Load, 'arrivals' | 'residentMiB'>> {
  for (let left = TRIES; ; left--) {
    const before = { arrivals: site.totalRequests, residentMiB: residentMiB(watched.fetcher) };
    stall.begin();
    try {
      await untilHeld(watched);
      return before;
    } catch (error) {
      stall.end();
      if (left <= 1) throw error;
    }
  }
}

/**
 * Of the pages that were claimed when it began some had not been requested, and the slots of some whose
 * end was on its way went to others: two for each slot at most. Then nothing is requested any more.
 */
function expectBounded(most: Load, before: Pick<Load, 'arrivals' | 'residentMiB'>): void {
  process.stderr.write(`${JSON.stringify({ before, most })}\n`);
  expect(most.arrivals - before.arrivals).toBeLessThanOrEqual(2 * SLOTS);
  expect(most.claimed).toBeLessThanOrEqual(SLOTS);
  expect(most.leased ?? 0).toBeLessThanOrEqual(2 * SLOTS + QUEUE_TARGET);
  expect(most.queued ?? 0).toBeLessThanOrEqual(QUEUE_TARGET);
  expect(most.residentMiB - before.residentMiB).toBeLessThan(MOST_GROWTH_MIB);
}

describe.each(MODES)('a crawl whose storage is in trouble (%s)', (mode) => {
  let bucket: Fresh;
  let gate: PressureGate;
  let service: Deployment;
  let fetcher: SpawnedApp;

  beforeAll(async () => {
    bucket = await freshBucket();
    gate = await PressureGate.before(bucket.url);
    const env = { ...PRESSURE_ENV, STORAGE_URL: gate.through(bucket.url) };
    service = await deploy(mode, { env });
    fetcher = fetcherOf(service);
  });
  afterAll(async () => {
    await service?.stop();
    await gate?.close();
    await bucket?.drop();
  });

  it('claims no more pages than it has slots while storage does not answer, and ends exactly', async () => {
    const watched = { service, site, fetcher };
    const { jobId, most } = await stalled(watched, {
      begin: () => gate.shut(),
      end: () => gate.open(),
    });
    expect(most.claimed).toBe(SLOTS);
    await expectExactEnd(watched, jobId, { asked: 'once' });
  });

  it('is never further ahead of slow storage than its slots, and ends exactly', async () => {
    const watched = { service, site, fetcher };
    const jobId = await startCrawl(watched);
    gate.slowDown(150);
    const behind = await writtenBehind(watched, jobId);
    gate.slowDown(0);
    expect(Math.max(...behind)).toBeLessThanOrEqual(SLOTS);
    expect(behind.length).toBeGreaterThan(10);
    await expectExactEnd(watched, jobId, { asked: 'once' });
  });
});

describe('a crawl whose database is in trouble', () => {
  let service: Deployment | undefined;
  let gate: PressureGate | undefined;
  afterEach(async () => {
    await service?.stop();
    await gate?.close();
    [service, gate] = [undefined, undefined];
  });

  it('claims no more pages than it has slots while an embedded database does not answer', async () => {
    const own = (service = await deploy('embedded', { env: PRESSURE_ENV }));
    const fetcher = fetcherOf(own);
    const watched = { service: own, site, fetcher, isSqlAway: true };
    const { jobId } = await stalled(watched, {
      begin: () => signalDatabase(fetcher, 'SIGSTOP'),
      end: () => signalDatabase(fetcher, 'SIGCONT'),
    });
    await expectExactEnd(watched, jobId, { asked: 'once' });
  });

  it('claims no more pages than it has slots while a fetcher cannot reach its database', async () => {
    const watched = await deployGated({});
    const { jobId, most } = await stalled(watched, {
      begin: () => gate?.shut(),
      end: () => gate?.open(),
    });
    expect(most.claimed).toBe(SLOTS);
    await expectExactEnd(watched, jobId, { asked: 'once' });
  });

  it('counts each page once when that takes longer than its leases', async () => {
    const watched = await deployGated({ LEASE_MS: '2000' });
    // Messages of leases that have ended leave the broker with them.
    const { jobId } = await stalled(watched, {
      begin: () => gate?.shut(),
      end: () => gate?.open(),
      ms: 7_000,
    });
    await expectExactEnd(watched, jobId, { asked: 'again' });
  });

  /** Everybody but the fetcher reaches the database: pages go on being dispatched. */
  async function deployGated(env: Readonly<Record<string, string>>): Promise<Watched> {
    const own = (service = await deploy('cluster', {
      fetchers: 0,
      env: { ...PRESSURE_ENV, ...env },
    }));
    const { DATABASE_URL: databaseUrl = '' } = own.env;
    gate = await PressureGate.before(databaseUrl);
    const gated = { ...own.env, DATABASE_URL: gate.through(databaseUrl) };
    const fetcher = await spawnApp({ app: 'fetcher', env: gated });
    own.apps.push(fetcher);
    return { service: own, site, fetcher };
  }
});

function fetcherOf({ apps }: Deployment): SpawnedApp {
  const found = apps.find(({ app }) => app !== 'api');
  if (!found) throw new Error('no fetcher');
  return found;
}

/** The server that the standalone started for itself, with all its backends. */
function signalDatabase({ process: owner }: SpawnedApp, signal: NodeJS.Signals): void {
  const servers = descendantsOf(owner.pid).filter(({ name }) => name.startsWith('postgres'));
  expect(servers.length).toBeGreaterThan(1);
  for (const { pid } of servers) process.kill(pid, signal);
}
