import type { FixtureSite } from '@app/testing';
import { scrapeSmall, startBombSite, whileAttacked } from './content-attack-run.js';
import { deploy, MODES, type Deployment } from './deployment.js';

/** As many as would hold every content thread at once. */
const BOMBS_AT_A_TIME = 4;
const SMALL_PAGES = 6;

describe.each(MODES)(
  'a tenant that scrapes pages made to hold the content threads (%s)',
  (mode) => {
    let service: Deployment;
    let site: FixtureSite;

    beforeAll(async () => {
      site = await startBombSite();
      service = await deploy(mode, {
        env: { BROWSER_MAX: '0', CONTENT_THREADS: '1', CACHE_MAX_MIB: '0' },
      });
    });
    afterAll(async () => {
      await service?.stop();
      await site?.close();
    });

    it('keeps no other tenant from its pages', async () => {
      const attacker = await service.otherTenant();
      const terms = { atATime: BOMBS_AT_A_TIME };
      const took = await whileAttacked(attacker, site, terms, () =>
        scrapeSmall(service.client, site, SMALL_PAGES),
      );
      expect(took).toHaveLength(SMALL_PAGES);
    });
  },
);
