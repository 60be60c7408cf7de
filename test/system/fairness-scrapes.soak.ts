import { deploy, MODES, type Deployment } from './deployment.js';
import {
  latencyBesideCrawl,
  SCRAPE_RUN_ENV,
  scrapeLatency,
  startScrapeSites,
  type Latency,
  type ScrapeRun,
} from './fairness-scrapes-run.js';

/** `npm run test:soak`: the long form of what `fairness-scrapes.serial-spec.ts` examines shortly. */
const SCRAPES = 100;
const ROUNDS = 5;
const MOST_SLOWER = 1.5;

describe.each(MODES)('scrapes during crawls at full speed (%s)', (mode) => {
  let service: Deployment;
  let run: ScrapeRun;

  beforeAll(async () => {
    service = await deploy(mode, { env: SCRAPE_RUN_ENV });
    run = { service, ...(await startScrapeSites()) };
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([run?.scraped.close(), run?.crawled.close()]);
  });

  it('take at most half as long again as without them, 95 of 100', async () => {
    const crawler = await service.otherTenant();
    await scrapeLatency(service.client, run.scraped, SCRAPES);
    const rounds: { idle: Latency; beside: Latency }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const idle = await scrapeLatency(service.client, run.scraped, SCRAPES);
      rounds.push({ idle, beside: await latencyBesideCrawl(run, crawler, SCRAPES) });
      process.stderr.write(`${mode}: ${JSON.stringify(rounds.at(-1))}\n`);
    }
    const ratios = rounds.map(({ idle, beside }) => beside.p95 / idle.p95);
    const median = ratios.toSorted((a, b) => a - b)[ROUNDS >> 1];
    expect(median).toBeLessThanOrEqual(MOST_SLOWER);
  }, 600_000);
});
