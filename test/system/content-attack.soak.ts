import type { FixtureSite } from '@app/testing';
import { scrapeSmall, startBombSite, whileAttacked } from './content-attack-run.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import { quantile } from './quantile.js';

/** `npm run test:soak`: what small pages of a tenant cost more while another one attacks the content threads. */
const ROUNDS = 5;
const SMALL_PAGES = 20;
const BOMBS_AT_A_TIME = 6;
/**
 * Of the 95th percentile, in threads: a small page waits for one conversion of a bomb at most, which takes
 * its CPU time, and not for all that wait.
 */
const MOST_CONVERSIONS = 2;
/** MAX_CONTENT_CPU_MS of the fetcher. */
const CPU_MS = 5_000;

describe.each(MODES)('small pages beside pages made to hold the content threads (%s)', (mode) => {
  let service: Deployment;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startBombSite();
    const env = { CONTENT_THREADS: '1', CACHE_MAX_MIB: '0' };
    service = await deploy(mode, { env });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  it('wait for no more than the conversion under way', async () => {
    const attacker = await service.otherTenant();
    const [idle, attacked]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      idle?.push(...(await scrapeSmall(service.client, site, SMALL_PAGES)));
      const terms = { atATime: BOMBS_AT_A_TIME };
      attacked?.push(
        ...(await whileAttacked(attacker, site, terms, () =>
          scrapeSmall(service.client, site, SMALL_PAGES),
        )),
      );
    }
    const [idleP95, attackedP95] = [quantile(idle ?? [], 0.95), quantile(attacked ?? [], 0.95)];
    process.stderr.write(`${mode}: ${JSON.stringify({ idleP95, attackedP95 })}\n`);
    expect((attackedP95 - idleP95) / CPU_MS).toBeLessThan(MOST_CONVERSIONS);
  }, 1_800_000);
});
