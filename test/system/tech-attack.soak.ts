import { TrawlClient } from '@app/testing';
import { EnrichRun, htmlOf, TRAP } from './enrich-run.js';
import { createCaller, MODES } from './deployment.js';
import { percentile } from './percentile.js';

/** `npm run test:soak`: what others notice of pages that hold scan threads until these are ended. */
const ROUNDS = 5;
/** Of each kind in a round: an attack lasts some seconds, and all of these have to fit into it. */
const CALLS = { scrape: 100, list: 400, enrich: 100 };
/** Of one tenant at a time. */
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
  let run: EnrichRun;
  beforeAll(async () => {
    run = await EnrichRun.start(mode, { env: { TECH_SCAN_HARD_MS: '3000' } });
  }, 120_000);
  afterAll(() => run?.stop(), 60_000);

  it('leaves the others their latency', async () => {
    const head = '<meta name="generator" content="FixtureCMS 4">';
    const site = (await run.open({ '/': htmlOf('', head) })).url();
    await call(site);
    const [idle, attacked] = [nothingYet(), nothingYet()];
    for (let round = 0; round < ROUNDS; round++) {
      add(idle, await call(site));
      add(attacked, await whileAttacked(() => call(site)));
    }
    const report = KINDS.map((kind) => ({
      kind,
      p50: [share(idle[kind], 0.5), share(attacked[kind], 0.5)],
      p99: [share(idle[kind], 0.99), share(attacked[kind], 0.99)],
      ratio: share(attacked[kind], 0.99) / share(idle[kind], 0.99),
    }));
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

  /** A tenant asks for pages that never end, a few at a time, until it is not scanned any more. */
  async function whileAttacked<T>(work: () => Promise<T>): Promise<T> {
    const trap = (await run.open({ '/': htmlOf(TRAP) })).url();
    const client = await newTenant();
    let isOver = false;
    let ended = 0;
    const attack = async (): Promise<void> => {
      while (!isOver) {
        const { tech_meta } = await run.enrich({ domain: trap, maxPages: 1 }, { client });
        if (tech_meta?.reasons.includes('worker_terminated')) ended++;
        isOver ||= tech_meta?.reasons.includes('tenant_cooldown') ?? false;
      }
    };
    const attacks = Promise.all(Array.from({ length: ATTACKS_AT_ONCE }, attack));
    const done = await work();
    // It went on all the time, or the figures are of no attack.
    expect(isOver).toBe(false);
    await attacks;
    expect(ended).toBeGreaterThan(0);
    return done;
  }

  async function newTenant(): Promise<TrawlClient> {
    const { store, url } = run.service;
    return new TrawlClient(url, (await createCaller(store, 'attacker', 'custom')).key);
  }
});

function nothingYet(): Took {
  return { scrape: [], list: [], enrich: [] };
}

function add(all: Took, round: Took): void {
  for (const kind of KINDS) all[kind].push(...round[kind]);
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

/** To a tenth. */
const share = (values: readonly number[], part: number): number =>
  Math.round(percentile(values, part) * 10) / 10;
