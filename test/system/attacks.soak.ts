import { startFixtureSite, TrawlClient, until, type FixtureSite } from '@app/testing';
import { ATTACK_PAGES, ATTACKS, type Attack } from './attack-pages.js';
import { createCaller, deploy, MODES, type Deployment } from './deployment.js';
import { percentile } from './percentile.js';

/**
 * `npm run test:soak`: what a tenant notices while others send the worst pages we know. Four free tenants and one on
 * the largest plan attack, each with as many requests at a time as its plan allows, at most four.
 */
const SCRAPES = 120;
const FREE_ATTACKERS = 4;
const REQUESTS_AT_A_TIME = { free: 2, custom: 4 } as const;
/** Of the 95th percentile of the other tenant's scrapes. */
const MAX_SLOWDOWN = 1.5;
/** A ratio of a few milliseconds says nothing. */
const NOISE_MS = 20;

describe.each(MODES)('another tenant while the service is attacked, %s', (mode) => {
  let service: Deployment;
  let site: FixtureSite;
  let hostileSite: FixtureSite;
  const report: string[] = [];
  const ended: string[] = [];

  beforeAll(async () => {
    [site, hostileSite] = [await startFixtureSite(), await startFixtureSite()];
    hostileSite.serve(ATTACK_PAGES);
    service = await deploy(mode, { env: { SCRAPE_TIMEOUT_MS: '20000' } });
    for (const { app, process } of service.apps) void process.exited.then(() => ended.push(app));
    await scrapes(20);
  }, 180_000);
  afterAll(async () => {
    process.stderr.write(`${mode}: p95 idle, attacked, ratio\n${report.join('\n')}\n`);
    await service?.stop();
    await Promise.all([site?.close(), hostileSite?.close()]);
  }, 60_000);

  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
    '%s: keeps its latency',
    async (name, attack) => {
      const idle = p95(await scrapes(SCRAPES));
      const attacked = p95(await whileAttacked(attack, () => scrapes(SCRAPES)));
      const ratio = Math.max(attacked, NOISE_MS) / Math.max(idle, NOISE_MS);
      report.push(
        `  ${name}: ${idle.toFixed(1)} ms, ${attacked.toFixed(1)} ms, ${ratio.toFixed(2)}`,
      );
      expect(ended).toEqual([]);
      expect(ratio).toBeLessThanOrEqual(MAX_SLOWDOWN);
    },
    300_000,
  );

  async function scrapes(count: number): Promise<number[]> {
    const took: number[] = [];
    for (let n = 0; n < count; n++) {
      const startedAt = performance.now();
      const answer = await service.client.scrape({ url: site.url('/about') });
      took.push(performance.now() - startedAt);
      expect(answer.status).toBe(200);
    }
    return took;
  }

  async function whileAttacked<T>(attack: Attack, work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const attackers = await Promise.all([
      ...Array.from({ length: FREE_ATTACKERS }, () => attacker('free')),
      attacker('custom'),
    ]);
    hostileSite.reset();
    let sent = 0;
    const send = async (client: TrawlClient): Promise<void> => {
      while (!over.signal.aborted) {
        sent++;
        const url = hostileSite.url(attack.path);
        // Ended when the measurement is over; refusals and failures are as welcome to an attacker as answers.
        await (
          attack.endpoint === undefined
            ? client.scrape({ url, ...attack.body }, over.signal)
            : client.call('POST', attack.endpoint, attack.body, over.signal)
        ).catch(() => undefined);
      }
    };
    const attacks = attackers.flatMap(({ client, requests }) =>
      Array.from({ length: requests }, () => send(client)),
    );
    const isReached = () => (attack.endpoint ? sent > 1 : hostileSite.count(attack.path) > 0);
    await until(isReached, { what: 'the attack to arrive', timeoutMs: 30_000 });
    try {
      return await work();
    } finally {
      over.abort();
      await Promise.all(attacks);
    }
  }

  async function attacker(plan: 'free' | 'custom') {
    const { key } = await createCaller(service.store, `${plan} attacker`, plan);
    return { client: new TrawlClient(service.url, key), requests: REQUESTS_AT_A_TIME[plan] };
  }
});

function p95(values: readonly number[]): number {
  return percentile(values, 0.95);
}
