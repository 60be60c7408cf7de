import { TrawlClient } from '@app/testing';
import { EnrichFixture, acmePage, TRAP } from './enrich-run.js';
import { createCaller, deploy, MODES } from './deployment.js';
import { FINGERPRINTS_FILE } from './fake-providers.js';
import { quantile } from './quantile.js';

/** `npm run test:soak`: what others notice of pages that hold scan threads until these are ended. */
const ROUNDS = 8;
/** Of each kind in a round, idle and attacked: a 99th percentile of some hundred is that of a few moments. */
const CALLS = { scrape: 250, list: 1_000, enrich: 150 };
/** Of one tenant at a time; when it is not scanned any more, the next one goes on. */
const ATTACKS_AT_ONCE = 4;
/**
 * Of the 99th percentile. Enrichments need the scanner that is attacked: on two processors 1.2 was not
 * reached for them (measured: up to 2.1).
 */
const MOST_SLOWER = { scrape: 1.2, list: 1.2, enrich: 3 };

type Kind = keyof typeof CALLS;
const KINDS = Object.keys(CALLS) as Kind[];
/** Milliseconds that calls took. */
type Took = Record<Kind, number[]>;

describe.each(MODES)('an attack on the scanner (%s)', (mode) => {
  let run: EnrichFixture;
  beforeAll(async () => {
    run = await EnrichFixture.on(
      await deploy(mode, { scanners: 1, env: { TECH_FINGERPRINTS_PATH: FINGERPRINTS_FILE } }),
    );
  });
  afterAll(() => run?.stop());

  it('leaves the others their latency', async () => {
    const head = '<meta name="generator" content="FixtureCMS 4">';
    const site = (await run.open({ '/': acmePage('', head) })).url();
    await call(site);
    const [idle, attacked] = [[], []] as [Took[], Took[]];
    for (let round = 0; round < ROUNDS; round++) {
      idle.push(await call(site));
      attacked.push(await whileAttacked(() => call(site)));
    }
    const report = KINDS.map((kind) => compare(kind, idle, attacked));
    process.stderr.write(`${mode}: ${JSON.stringify(report)}\n`);
    expect(report.filter(({ kind, ratio }) => ratio > MOST_SLOWER[kind])).toEqual([]);
  }, 900_000);

  async function call(site: string): Promise<Took> {
    const { client } = run.service;
    return {
      scrape: await timed(CALLS.scrape, () => client.scrape({ url: site })),
      list: await timed(CALLS.list, () => client.jobs()),
      enrich: await timed(CALLS.enrich, async () => {
        const { tech_stack } = await run.enrich({ domain: site });
        expect(tech_stack.map(({ name }) => name)).toContain('Fixture CMS');
      }),
    };
  }

  /** Tenants request pages that never end, a few at a time, each until it is not scanned any more. */
  async function whileAttacked<T>(work: () => Promise<T>): Promise<T> {
    const trap = (await run.open({ '/': acmePage(TRAP) })).url();
    let isOver = false;
    let attacker = await newTenant();
    let ended = 0;
    const attack = async (): Promise<void> => {
      while (!isOver) {
        const client = attacker;
        const { tech_meta } = await run.enrich({ domain: trap, maxPages: 1 }, { client });
        if (tech_meta?.reasons.includes('worker_terminated')) ended++;
        const isCooling = tech_meta?.reasons.includes('tenant_cooldown') ?? false;
        if (isCooling && attacker === client) attacker = await newTenant();
      }
    };
    const attacks = Promise.all(Array.from({ length: ATTACKS_AT_ONCE }, attack));
    const done = await work();
    isOver = true;
    await attacks;
    expect(ended).toBeGreaterThan(0);
    return done;
  }

  async function newTenant(): Promise<TrawlClient> {
    const { database, url } = run.service;
    return new TrawlClient(url, (await createCaller(database, 'attacker', 'custom')).key);
  }
});

/** Beside the attack's ratio that of idle rounds among themselves: how far such a figure moves by itself. */
function compare(kind: Kind, idle: readonly Took[], attacked: readonly Took[]) {
  const of = (rounds: readonly Took[]) => rounds.flatMap((took) => took[kind]);
  const halves = [0, 1].map((rest) => p99(of(idle.filter((_, at) => at % 2 === rest))));
  return {
    kind,
    p50: [share(of(idle), 0.5), share(of(attacked), 0.5)],
    p99: [p99(of(idle)), p99(of(attacked))],
    noise: Math.max(...halves) / Math.min(...halves),
    ratio: p99(of(attacked)) / p99(of(idle)),
  };
}

async function timed(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    const startedAt = performance.now();
    await call();
    took.push(performance.now() - startedAt);
  }
  return took;
}

const p99 = (values: readonly number[]): number => share(values, 0.99);

/** To a tenth. */
const share = (values: readonly number[], part: number): number =>
  Math.round(quantile(values, part) * 10) / 10;
