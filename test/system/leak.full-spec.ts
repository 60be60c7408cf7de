import { startFixtureSite, type FixtureSite } from '@app/testing';
import { scratchFoldersOf } from './browser-census.js';
import { deployEmbedded, type Deployment } from './deployment.js';
import { mixedScrapes, settledSample, untilBackTo } from './leak-run.js';

const PARALLEL = 4;

/** The short form of `npm run test:soak`. */
describe('regressions 1 and 3: sixty mixed scrapes by two tenants', () => {
  let service: Deployment;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deployEmbedded({ env: { SCRAPE_TIMEOUT_MS: '6000', LOG_LEVEL: 'debug' } });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  it('leave no process, folder, handle or page behind, and share no state', async () => {
    const tenants = { clients: [service.client, await service.otherTenant()], site } as const;
    const baseline = await settledSample(service, site, PARALLEL);
    const options = { seed: 7, scrapes: 60, parallel: PARALLEL, killEvery: 12 };
    const run = await mixedScrapes(service, tenants, options);
    expect(run.problems).toEqual([]);
    expect(run.kills).toBeGreaterThan(0);
    await untilBackTo(baseline, service.apps, 60_000);
  });

  it('leave no scratch folder when the service stops', async () => {
    const { pid } = service.apps[0]?.process ?? { pid: 0 };
    const answer = await service.client.scrape({ url: site.url('/docs'), forceHeadless: true });
    expect(answer.text).toContain(`"ok":true`);
    expect(scratchFoldersOf(pid)).not.toEqual([]);
    await Promise.all(service.apps.map((app) => app.process.stop('SIGTERM')));
    expect(scratchFoldersOf(pid)).toEqual([]);
  });
});
