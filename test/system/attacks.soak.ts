import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import {
  idleShare,
  pause,
  projectRoot,
  readMachineTimes,
  startFixtureSite,
  TrawlClient,
  until,
  type FixtureSite,
} from '@app/testing';
import { ATTACK_PAGES, ATTACKS, type Attack } from './attack-pages.js';
import { Balancer } from './balancer.js';
import { createCaller, deploy, MODES, spawnApi, type Deployment } from './deployment.js';
import { quantile } from './quantile.js';

/**
 * `npm run test:soak`: what a tenant notices while others send the worst pages we know. Four free tenants and one on
 * the largest plan attack, each with as many requests at a time as its plan allows, at most four.
 */
const SCRAPES = 120;
const FREE_ATTACKERS = 4;
const REQUESTS_AT_A_TIME = { free: 2, custom: 4 } as const;
/** Of the 95th percentile of the other tenant's scrapes; below the second figure a ratio says nothing. */
const MAX_SLOWDOWN = 1.5;
const UNNOTICED_MS = 400;
const ATTACKER = path.join(projectRoot(), 'test/system/attacker.mjs');
/** An attack without a page of its own has arrived after that time. */
const ARRIVED_MS = 1_000;
const ARRIVAL = { what: 'the attack to arrive', timeoutMs: 30_000 };
const QUIET_SHARE = 0.85;
const QUIET_MS = 1_000;

describe.each([...MODES, 'two replicas'] as const)(
  'another tenant of a service under attack, %s',
  (mode) => {
    let service: Deployment;
    let balancer: Balancer | undefined;
    let client: TrawlClient;
    let site: FixtureSite;
    let hostileSite: FixtureSite;
    const report: string[] = [];
    const ended: string[] = [];
    /** Of the attackers, by status. */
    let answers = '';

    beforeAll(async () => {
      [site, hostileSite] = [await startFixtureSite(), await startFixtureSite()];
      hostileSite.serve(ATTACK_PAGES);
      await start();
      for (const { app, process } of service.apps) void process.exited.then(() => ended.push(app));
      await scrapes(20);
    });
    afterAll(async () => {
      process.stderr.write(
        `${mode}: p95 idle, attacked; answers to the attackers\n${report.join('\n')}\n`,
      );
      await balancer?.close();
      await service?.stop();
      await Promise.all([site?.close(), hostileSite?.close()]);
    });

    it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
      '%s: keeps its latency',
      async (name, attack) => {
        await quiet();
        const idle = p95(await scrapes(SCRAPES));
        const attacked = p95(await whileAttacked(attack, () => scrapes(SCRAPES)));
        report.push(`  ${name}: ${idle.toFixed(1)} ms, ${attacked.toFixed(1)} ms; ${answers}`);
        expect(ended).toEqual([]);
        expect(attacked).toBeLessThanOrEqual(Math.max(MAX_SLOWDOWN * idle, UNNOTICED_MS));
      },
    );

    async function start(): Promise<void> {
      const env = { SCRAPE_TIMEOUT_MS: '20000' };
      if (mode !== 'two replicas') {
        service = await deploy(mode, { env });
        return void (client = service.client);
      }
      service = await deploy('cluster', { env, fetchers: 2 });
      service.apps.push(await spawnApi(service.env));
      balancer = await Balancer.start();
      for (const app of service.apps) if (app.app === 'api') await balancer.add(app);
      const { key } = await createCaller(service.database, 'balanced', 'custom');
      client = new TrawlClient(balancer.url, key);
    }

    async function scrapes(count: number): Promise<number[]> {
      const took: number[] = [];
      for (let n = 0; n < count; n++) {
        const startedAt = performance.now();
        const answer = await client.scrape({ url: site.url('/about') });
        took.push(performance.now() - startedAt);
        expect(answer.status).toBe(200);
      }
      return took;
    }

    async function whileAttacked<T>(attack: Attack, work: () => Promise<T>): Promise<T> {
      const callers = await Promise.all([
        ...Array.from({ length: FREE_ATTACKERS }, () => attacker('free')),
        attacker('custom'),
      ]);
      hostileSite.reset();
      const attackers = fork(ATTACKER, { execArgv: [] });
      const ended = once(attackers, 'exit');
      const said = once(attackers, 'message');
      const url = hostileSite.url(attack.path);
      attackers.send({
        address: new URL(attack.endpoint ?? '/v1/scrape', client.baseUrl).href,
        callers,
        body: attack.endpoint === undefined ? { url, ...attack.body } : attack.body,
      });
      try {
        await (attack.endpoint === undefined
          ? until(() => hostileSite.count(attack.path) > 0, ARRIVAL)
          : pause(ARRIVED_MS));
        return await work();
      } finally {
        attackers.send('stop');
        answers = JSON.stringify((await said)[0]);
        await ended;
      }
    }

    async function attacker(plan: 'free' | 'custom') {
      const { key } = await createCaller(service.database, `${plan} attacker`, plan);
      return { key, requests: REQUESTS_AT_A_TIME[plan] };
    }

    /** Work of the attack before goes on after its callers hung up: idle is measured without it. */
    async function quiet(): Promise<void> {
      let from = readMachineTimes();
      await until(
        () => {
          const to = readMachineTimes();
          const idle = idleShare(from, to);
          from = to;
          return idle >= QUIET_SHARE;
        },
        { what: 'the machine to be idle', timeoutMs: 120_000, intervalMs: QUIET_MS },
      );
    }
  },
);

function p95(values: readonly number[]): number {
  return quantile(values, 0.95);
}
