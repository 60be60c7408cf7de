import { seededRandom, until, type Answer, type SeededRandom, type SpawnedApp } from '@app/testing';
import { consumed, CreditsRun, startCreditsSite, type Payer } from './credits-run.js';
import { deployCluster, spawnApi, type Deployment } from './deployment.js';

/** A deployment of a spec's own, whose replicas it may kill. */
export class KilledReplicasRun extends CreditsRun<Deployment> {
  /** Beside the first, which no spec kills. */
  readonly replicas: SpawnedApp[] = [];

  static async start(replicas: number): Promise<KilledReplicasRun> {
    const site = await startCreditsSite();
    const env = { BROWSER_MAX: '0', HOST_WINDOW_START: '8', LEASE_MS: '5000' };
    const run = new KilledReplicasRun(await deployCluster({ env }), site);
    while (run.replicas.length < replicas - 1) await run.startReplica();
    return run;
  }

  async startReplica(): Promise<SpawnedApp> {
    const app = await spawnApi(this.service.env);
    this.replicas.push(app);
    return app;
  }

  get urls(): readonly string[] {
    return [this.service.url, ...this.replicas.map(({ url }) => url)];
  }

  override stop(): Promise<void> {
    this.service.apps.push(...this.replicas);
    return super.stop();
  }
}

export interface KillPlan {
  readonly seed: number;
  readonly calls: number;
  /** Replicas killed -9 while the calls are under way. */
  readonly kills: number;
  /** Calls under way at a time. */
  readonly atOnce: number;
}

/** What a call is worth, by what its page is. */
interface Wanted {
  /** @default /v1/scrape */
  readonly endpoint?: '/v1/enrich';
  readonly path: string;
  readonly status: number;
  readonly credits: number;
}

export interface KillReport {
  /** Calls by status of their last answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Credits that the responses report in total, and credits that the pages cost. */
  readonly told: number;
  readonly worth: number;
  /** Of the worth, what enrichments cost: it comes from their own pool. */
  readonly enriched: number;
  /** Tries that got no answer, or one to be tried again. */
  readonly retries: number;
  /** Calls that were answered otherwise than their page is. */
  readonly wrong: readonly string[];
}

/** A call is retried, on any replica, until it is answered; all tries have one Idempotency-Key. */
const RETRIED = new Set([409, 429, 500, 502, 503, 504]);
const ANSWERED_MS = 90_000;

/**
 * Sends calls to all replicas while some of them are killed -9 at any moment and started again. The leases
 * of their keys are ended by hand, so that the spec does not wait for them.
 */
export async function killWhileCharging(
  run: KilledReplicasRun,
  payer: Payer,
  plan: KillPlan,
): Promise<KillReport> {
  const random = seededRandom(plan.seed);
  const calls = Array.from({ length: plan.calls }, (_, n) => ({ n, wanted: wantedOf(n, random) }));
  const waiting = [...calls];
  const report = {
    statuses: {} as Record<string, number>,
    told: 0,
    worth: 0,
    enriched: 0,
    retries: 0,
  };
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      const { wanted, n } = call;
      const key = `kills-${plan.seed}-${n}`;
      const { answer, retries } = await answered(run, payer, { key, wanted, random });
      report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
      report.told += consumed(answer) || 0;
      report.worth += wanted.credits;
      if (wanted.endpoint === '/v1/enrich') report.enriched += wanted.credits;
      report.retries += retries;
      if (answer.status !== wanted.status || (consumed(answer) || 0) !== wanted.credits)
        wrong.push(`${key} ${wanted.path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  };
  const isOver = { value: false };
  const killing = killReplicas(run, plan, { random, isOver, left: () => waiting.length });
  await Promise.all(Array.from({ length: plan.atOnce }, work));
  isOver.value = true;
  await killing;
  return { ...report, wrong };
}

function wantedOf(n: number, random: SeededRandom): Wanted {
  const kind = random.int(0, 9);
  if (kind === 0) return { path: `/blank?${n}`, status: 200, credits: 0 };
  if (kind === 1) return { path: `/status/404?${n}`, status: 422, credits: 0 };
  if (kind === 2) return { endpoint: '/v1/enrich', path: '/', status: 200, credits: 1 };
  const path = kind < 6 ? `/slow/${random.int(50, 600)}/p${n}` : `/tree/${n % 300}`;
  return { path, status: 200, credits: 1 };
}

interface Try {
  readonly key: string;
  readonly wanted: Wanted;
  readonly random: SeededRandom;
}

async function answered(
  run: KilledReplicasRun,
  payer: Payer,
  { key, wanted, random }: Try,
): Promise<{ readonly answer: Answer; readonly retries: number }> {
  let retries = -1;
  const once = async (): Promise<Answer | false> => {
    retries++;
    const { endpoint = '/v1/scrape', path } = wanted;
    const url = run.site.url(path);
    const body = endpoint === '/v1/enrich' ? { domain: url, includeTech: false } : { url };
    const sent = { key: payer.key, body, idempotencyKey: key };
    const answer = await run.post(random.pick(run.urls), endpoint, sent).catch(() => null);
    return answer !== null && !RETRIED.has(answer.status) && answer;
  };
  const answer = await until(once, { what: `an answer to ${key}`, timeoutMs: ANSWERED_MS });
  return { answer: answer as Answer, retries };
}

interface Killing {
  readonly random: SeededRandom;
  readonly isOver: { readonly value: boolean };
  readonly left: () => number;
}

/** One after another, each when so many calls more were begun; the first replica lives. */
async function killReplicas(
  run: KilledReplicasRun,
  { calls, kills }: KillPlan,
  { random, isOver, left }: Killing,
): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const at = calls - Math.floor((calls * kill) / (kills + 1)) + random.int(-2, 2);
    await until(() => isOver.value || left() <= at, { what: 'the moment', timeoutMs: 120_000 });
    if (isOver.value) return;
    const [doomed] = run.replicas.splice(random.int(0, run.replicas.length - 1), 1);
    await doomed?.process.kill9();
    await run.sql(
      `UPDATE idempotency_keys SET lease_until = now() - interval '1 second' WHERE status IS NULL`,
    );
    await run.startReplica();
  }
}
