import { startFixtureSite, type FixtureSite } from '@app/testing';
import { collectGarbage, INSPECTED, inspectorOf } from './collect-garbage.js';
import { deployEmbedded, type Deployment } from './deployment.js';
import { leakSample, mixedScrapes, settledSample, untilBackTo } from './leak-run.js';
import { quantile } from './quantile.js';

/** `npm run test:soak`: a thousand scrapes of every kind; after them everything is as before. */
const SCRAPES = 1_000;
/** Resident memory rises fastest in the first hundreds, while the allocator finds its size. */
const WARM_UP = 300;
const PARALLEL = 6;
const KILL_EVERY = 40;
const MAX_MEMORY_GROWTH = 1.15;
const MAX_SLOWDOWN = 1.3;

describe('regressions 1, 3 and 5: a thousand mixed scrapes by two tenants', () => {
  let service: Deployment;
  let site: FixtureSite;
  let inspector: string;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deployEmbedded({ env: { ...INSPECTED, SCRAPE_TIMEOUT_MS: '8000' } });
    const [app] = service.apps;
    if (app === undefined) throw new Error('nothing was started');
    inspector = await inspectorOf(app);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  it('leave no process, folder, handle, page or memory behind, and share no state', async () => {
    const tenants = { clients: [service.client, await service.otherTenant()], site } as const;
    const mix = { parallel: PARALLEL, killEvery: KILL_EVERY };
    await settledSample(service, site, PARALLEL);
    // Pools, caches and compiled code grow to their size under the same mix.
    await mixedScrapes(service, tenants, { ...mix, seed: 41, scrapes: WARM_UP });
    const baseline = await settledSample(service, site, PARALLEL);
    const heldBefore = await heldMiB();

    const run = await mixedScrapes(service, tenants, { ...mix, seed: 42, scrapes: SCRAPES });
    process.stderr.write(`${JSON.stringify({ ...run, renderedMs: run.renderedMs.length })}\n`);
    expect(run.problems).toEqual([]);
    expect(run.kills).toBeGreaterThan(10);

    await untilBackTo(baseline, service.apps, 90_000);
    const after = await settledSample(service, site, PARALLEL);
    const heldAfter = await heldMiB();
    process.stderr.write(`before ${JSON.stringify(baseline)}\nafter ${JSON.stringify(after)}\n`);
    process.stderr.write(`without garbage ${heldBefore} MB, then ${heldAfter} MB\n`);
    expect(heldAfter).toBeLessThan(heldBefore * MAX_MEMORY_GROWTH);

    const half = run.renderedMs.length >> 1;
    const [early, late] = [run.renderedMs.slice(0, half), run.renderedMs.slice(half)];
    process.stderr.write(`p95 ${p95(early)} ms, then ${p95(late)} ms\n`);
    expect(p95(late)).toBeLessThan(p95(early) * MAX_SLOWDOWN);
  }, 2_400_000);

  /** Resident memory when all garbage is collected. */
  async function heldMiB(): Promise<number> {
    await collectGarbage(inspector);
    return (await leakSample(service.apps)).residentMiB;
  }
});

function p95(values: readonly number[]): number {
  return Math.round(quantile(values, 0.95));
}
