import { articleMarker, startFixtureSite, TRAPS, until, type FixtureSite } from '@app/testing';
import { browserCensus, type BrowserCensus } from './browser-census.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import { problemsWith, runTraps, TRAP_DEADLINE_MS, type TrapOutcome } from './trap-run.js';

const PARALLEL = 4;

describe.each(MODES)('every trap of the fixture site, %s', (mode) => {
  let service: Deployment;
  let other: FixtureSite;
  let baseline: BrowserCensus;
  let outcomes: ReadonlyMap<string, TrapOutcome>;

  beforeAll(async () => {
    other = await startFixtureSite();
    service = await deploy(mode, { env: { SCRAPE_TIMEOUT_MS: String(TRAP_DEADLINE_MS) } });
    // As many pages at once as later, so that the pool has its size.
    await Promise.all(Array.from({ length: PARALLEL }, () => rendered()));
    baseline = await restingCensus();
    const run = { client: service.client, otherOrigin: other.url('') };
    outcomes = await runTraps(TRAPS, run, PARALLEL);
  }, 1_200_000);
  afterAll(async () => {
    await service?.stop();
    await other?.close();
  });

  const rendered = () =>
    service.client.scrape({ url: other.url('/shell/react'), forceHeadless: true });

  const restingCensus = () =>
    until(
      async () => {
        const census = await browserCensus(service.apps);
        return census.openPages === 0 && census.zombies === 0 ? census : null;
      },
      { what: 'browsers at rest', timeoutMs: 30_000, intervalMs: 250 },
    );

  it.each(TRAPS)('$path: $title', (trap) => {
    const outcome = outcomes.get(trap.path);
    if (outcome === undefined) throw new Error('was not scraped');
    expect(problemsWith(trap, outcome)).toEqual([]);
  });

  it('has the time that the caller asked it to wait, however little of the deadline that leaves', async () => {
    const actions = [{ type: 'wait', ms: TRAP_DEADLINE_MS - 500 }];
    const answer = await service.client.scrape({ url: other.url('/'), actions });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
  });

  it('leaves a service that still scrapes, by plain and by browser', async () => {
    expect(await service.client.scrape({ url: other.url('/about') })).toMatchObject({
      status: 200,
      body: { markdown: expect.stringContaining('Small site') },
    });
    expect(await rendered()).toMatchObject({
      status: 200,
      body: { markdown: expect.stringContaining(articleMarker('shell-react')) },
    });
  });

  it('leaves no page, no process and no folder behind', async () => {
    await until(
      async () => {
        const census = await browserCensus(service.apps);
        return (
          census.openPages === 0 &&
          census.zombies === 0 &&
          census.processes <= baseline.processes &&
          census.scratchFolders <= baseline.scratchFolders
        );
      },
      { what: `browsers as before (${JSON.stringify(baseline)})`, timeoutMs: 90_000 },
    );
  });
});
