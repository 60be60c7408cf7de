import { isFullRun } from '../setup/full-run.js';
import { expectUndisturbed, RollingRun } from './rolling-run.js';

/** Four processes are replaced in each; `npm run test:full` plays half of `npm run test:faults`. */
const ROUNDS = isFullRun ? 13 : 25;
const RESTARTS = 4 * ROUNDS;
const PAGES = 1_000;
const TREE_PAGES = 1_500;
const RUN_MS = 60 * 60_000;

/** Two API processes and two fetchers, each replaced in every round, under load. */
describe(`${RESTARTS} rolling restarts under scrapes and a crawl`, () => {
  let run: RollingRun;

  beforeAll(async () => {
    run = await RollingRun.start(TREE_PAGES);
  });
  afterAll(() => run?.stop());

  it(
    'show no caller an error, fetch no page twice and charge each once',
    async () => {
      const fromMs = performance.now();
      const crawls = await run.work(ROUNDS, PAGES);
      report(run, crawls.length, performance.now() - fromMs);
      expect(run.restarts).toHaveLength(RESTARTS);
      await expectUndisturbed(run, crawls, PAGES);
    },
    RUN_MS,
  );
});

function report(run: RollingRun, crawls: number, ms: number): void {
  const stops = run.restarts.map(({ stopMs }) => stopMs);
  const scrapes = run.scrapers.map(({ scraped }) => scraped).join(' and ');
  process.stderr.write(
    `${run.restarts.length} restarts in ${seconds(ms)} s, longest stop ${seconds(Math.max(...stops))} s; ` +
      `${scrapes} scrapes, slowest ${seconds(run.slowestMs)} s; ${crawls} crawls of ${PAGES} pages\n`,
  );
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
