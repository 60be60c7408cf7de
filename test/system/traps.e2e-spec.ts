import { startFixtureSite, TRAPS, type FixtureSite, type Trap } from '@app/testing';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import { runTraps, wrongIn, type TrapOutcome } from './trap-run.js';

/** Those that make a site wait, or us. */
const SLOW = /hang|tarpit|drip|slow|429|redirect-chain\/30/;
/**
 * One of each fault of a browser, of what a visitor does, and of what fills the memory. A page that crashes its renderer
 * is in browser-loss.int-spec.ts, which does not wait until 512 MiB are full.
 */
const COSTLY = [
  '/shell/late',
  '/shell/broken',
  '/shell/meta-refresh',
  '/wall/cloudflare-never',
  '/wall/webdriver',
  '/frames/cross-origin',
  '/frames/overlay',
  '/dialog/confirm',
  '/popup/storm',
  '/actions?submit',
  '/actions?never-there',
  '/download/pdf?forced',
  '/loop/self?forced',
  '/private/x',
  '/bomb-as/br/100000000',
  '/bomb-as/nested/10/100000000',
  '/dom/attributes/200000',
];

const PARALLEL = 4;

const isQuick = ({ path, needs, isHeavy }: Trap): boolean =>
  needs === 'plain' && isHeavy !== true && !SLOW.test(path);
const CHOSEN = TRAPS.filter((trap) => isQuick(trap) || COSTLY.includes(trap.path));

/** `traps.serial-spec.ts` has all of them, within a deadline. */
describe.each(MODES)('traps of the fixture site that cost little, %s', (mode) => {
  let service: Service;
  let other: FixtureSite;
  let outcomes: ReadonlyMap<string, TrapOutcome>;

  beforeAll(async () => {
    other = await startFixtureSite();
    service = await share(mode);
    const run = { client: service.client, otherOrigin: other.url('') };
    // Most of them wait.
    outcomes = await runTraps(CHOSEN, run, PARALLEL);
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await other?.close();
  });

  it('are these', () => {
    const chosen = CHOSEN.map(({ path }) => path);
    expect(COSTLY.filter((path) => !chosen.includes(path))).toEqual([]);
    expect(chosen.length).toBeGreaterThan(70);
  });

  it.each(CHOSEN)('$path: $title', (trap) => {
    const outcome = outcomes.get(trap.path);
    if (outcome === undefined) throw new Error('was not scraped');
    expect(wrongIn(trap, outcome.answer)).toEqual([]);
  });
});
