import type { Plan } from '@app/contracts';
import { startFixtureSite, until } from '@app/testing';
import { createCaller, deploy, MODES, type Mode, type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import { isFullRun } from '../setup/full-run.js';

/** Longer than the specs: no such page ends meanwhile. */
const HELD_MS = 600_000;
/** SCRAPE_CONCURRENCY, as it is by default. */
const SCRAPE_SLOTS = 8;
const PAGE_SLOTS = 4;
/** OUTSTANDING_CALLS. */
const OUTSTANDING = 64;

type Attack = Awaited<ReturnType<typeof startAttack>>;

function deployHolding(mode: Mode, settings: Service['env']): Promise<Service> {
  const times = { SCRAPE_TIMEOUT_MS: String(HELD_MS), FETCH_TIMEOUT_MS: String(HELD_MS) };
  return deploy(mode, { env: { SCRAPE_CONCURRENCY: String(SCRAPE_SLOTS), ...times, ...settings } });
}

/** A service and a site whose pages never end, scraped by accounts of several plans. */
async function startAttack(open: () => Promise<Service>) {
  const site = await startFixtureSite();
  const service = await open();
  const hangUp = new AbortController();
  const held = (name: string) => `/slow/${HELD_MS}/${name}`;
  let answered = 0;

  async function post(key: string, body: object, own = hangUp): Promise<void> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const signal = AbortSignal.any([hangUp.signal, own.signal]);
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    try {
      await fetch(`${service.url}/v1/scrape`, init);
      answered++;
    } catch {
      // Hung up at the end.
    }
  }

  return {
    site,
    service,
    post,
    /** A page that never ends. */
    neverEnding: (name: string) => site.url(held(name)),
    /** Scrapes that wait in the API process. */
    async waiting(): Promise<number> {
      const text = await (await fetch(`${service.metricsUrl}/metrics`)).text();
      return Number(/^trawl_calls_waiting\{queue="scrape"\} (\d+)$/m.exec(text)?.[1]);
    },
    get answered() {
      return answered;
    },
    /** Scrapes `each` pages that never end for each of `accounts` new ones. Returns how many were visited so far. */
    async begin(plan: Plan, [accounts, each]: readonly [number, number], more: object = {}) {
      const names: string[] = [];
      for (let account = 0; account < accounts; account++) {
        const { key } = await createCaller(service.database, `${plan} ${account}`, plan);
        for (let n = 0; n < each; n++) {
          const name = `${plan}-${account}-${n}`;
          names.push(name);
          void post(key, { url: site.url(held(name)), ...more });
        }
      }
      return () => names.filter((name) => site.requests(held(name)).length > 0).length;
    },
    /** Scrapes of another account, one after the other. */
    async scrapesPass(count: number, path: string, more: object = {}): Promise<void> {
      for (let n = 0; n < count; n++) {
        const answer = await service.client.scrape({ url: site.url(path), ...more });
        expect(answer).toMatchObject({ status: 200 });
      }
    },
    async stop(): Promise<void> {
      hangUp.abort();
      // Ends the pages, which the fetcher would go on with.
      await site.close();
      await service.stop();
    },
  };
}

describe.each(MODES)('scrapes of pages that never end, %s', (mode) => {
  let attack: Attack;

  beforeAll(async () => {
    attack = await startAttack(() =>
      isFullRun ? deployHolding(mode, { BROWSER_MAX: '0' }) : share(mode),
    );
  });
  afterAll(() => attack?.stop());

  it('on the free plan fill their share of the slots, and a paying account does not wait', async () => {
    const visited = await attack.begin('free', [4, 2]);
    await until(() => visited() === SCRAPE_SLOTS / 2, { what: 'the share of the free plan' });
    await attack.scrapesPass(5, '/docs');
    expect([attack.answered, visited()]).toEqual([0, SCRAPE_SLOTS / 2]);
  });

  if (isFullRun) {
    it('on paid plans too leave a slot for the next account', async () => {
      const first = await attack.begin('pro', [1, 20]);
      await until(() => first() === 5, { what: 'the pages of the first account' });
      const second = await attack.begin('hobby', [1, 5]);
      await until(() => second() === 2, { what: 'the pages of the second account' });
      await attack.scrapesPass(5, '/docs');
      expect([attack.answered, first(), second()]).toEqual([0, 5, 2]);
    });
  }
});

if (isFullRun) {
  describe.each(MODES)('more than a thousand calls of one account, %s', (mode) => {
    const CALLS = 1_200;
    let attack: Attack;

    beforeAll(async () => {
      attack = await startAttack(() => deployHolding(mode, { BROWSER_MAX: '0' }));
    });
    afterAll(() => attack?.stop());

    it('leave the queue to the others, also when their callers hang up and call again', async () => {
      const { key } = await createCaller(attack.service.database, 'greedy', 'pro');
      const ring = (count: number, name: string): AbortController => {
        const hangUp = new AbortController();
        for (let n = 0; n < count; n++)
          void attack.post(key, { url: attack.neverEnding(`${name}-${n}`) }, hangUp);
        return hangUp;
      };
      const first = ring(CALLS / 2, 'first');
      await until(() => attack.waiting().then((waiting) => waiting === CALLS / 2 - OUTSTANDING), {
        what: 'the calls in the line of the API process',
        timeoutMs: 60_000,
      });
      await attack.scrapesPass(3, '/docs');
      first.abort();
      await until(() => attack.waiting().then((waiting) => waiting === 0), {
        what: 'an empty line',
      });
      ring(CALLS / 2, 'again');
      // Tasks of those who hung up are in the queue still: they hold its places.
      await until(() => attack.waiting().then((waiting) => waiting === CALLS / 2), {
        what: 'the calls in line again',
        timeoutMs: 60_000,
      });
      await attack.scrapesPass(3, '/docs');
      expect(attack.answered).toBe(0);
    });
  });

  describe.each(MODES)('pages in the browser that never end, %s', (mode) => {
    let attack: Attack;

    beforeAll(async () => {
      const settings = { BROWSER_MAX: '1', BROWSER_PAGES: String(PAGE_SLOTS) };
      attack = await startAttack(() => deployHolding(mode, settings));
    });
    afterAll(() => attack?.stop());

    it('leave page slots for later accounts', async () => {
      const rendered = { forceHeadless: true };
      const free = await attack.begin('free', [8, 2], rendered);
      await until(() => free() === PAGE_SLOTS / 2, {
        what: 'the share of the free plan',
        timeoutMs: 60_000,
      });
      const paid = await attack.begin('hobby', [1, 3], rendered);
      await until(() => paid() === 2, { what: 'two pages of the next account', timeoutMs: 60_000 });
      await attack.scrapesPass(3, '/shell/react', rendered);
      expect([attack.answered, free(), paid()]).toEqual([0, PAGE_SLOTS / 2, 2]);
    });
  });
}
