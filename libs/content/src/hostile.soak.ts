import { HOSTILE_INPUTS } from './fixtures/hostile-inputs.js';
import { type HostileAnswer, type HostileJob, HostileRunner } from './fixtures/hostile-runner.js';
import { MAX_MARKDOWN_CHARS } from './limits.js';

const NAMES = Object.keys(HOSTILE_INPUTS);

/** What a page may take here, however slow the machine: far more than its own deadline. */
const PATIENCE_MS = 240_000;

/** The worst that there is of each kind. */
const FULL = 1_000_000;
const FLOOR_MS = 150;

/** Allowed around a cut: prefixes, a fence, rows that were begun. */
const SLACK_CHARS = 100_000;

/** Sizes beyond that, up to 100 MB, and what names the cut; null: nothing is cut. */
const LARGER: readonly (readonly [name: string, n: number, cut: string | null])[] = [
  ['nested tags', 2_000_000, 'max_depth'],
  ['attributes of one element', 1_000_000, 'max_attributes'],
  // The Markdown is whole; of so many lines the listing reads the first and the last.
  ['attributes of many elements', 3_000_000, 'max_listing'],
  ['one long text', 20_000_000, 'max_markdown_chars'],
  ['stars and brackets', 12_500_000, 'max_markdown_chars'],
  ['one long attribute', 12_500_000, 'max_html_chars'],
  ['an inlined picture', 50_000_000, null],
  ['character references', 4_000_000, null],
  ['lines of code', 50_000_000, 'max_markdown_chars'],
  ['lines of code in quotes', 5_000_000, 'max_markdown_chars'],
  ['frames in frames', 3_000_000, 'max_markdown_chars'],
  ['rules', 4_000_000, 'max_nodes'],
  ['a table of many rows', 400_000, 'max_listing'],
  ['links', 1_000_000, 'max_links'],
  ['one long script', 40_000_000, null],
];

describe('hostile pages of full size, all outputs at once, in threads of 512 MB', () => {
  /** One for whole pages and one for main content, side by side. */
  const runners = { whole: new HostileRunner(), main: new HostileRunner() };
  const startedMs = performance.now();
  afterAll(async () => {
    await runners.whole.close();
    await runners.main.close();
  });

  async function answer(job: HostileJob): Promise<HostileAnswer> {
    const outcome = await runners[job.isMain ? 'main' : 'whole'].run(job, PATIENCE_MS);
    if (outcome.kind !== 'answer') throw new Error(`${job.name}: ${JSON.stringify(outcome)}`);
    expect(outcome.markdownChars).toBeLessThan(MAX_MARKDOWN_CHARS + SLACK_CHARS);
    report(job, outcome, performance.now() - startedMs);
    return outcome;
  }

  async function expectLinear(name: string, isMain: boolean): Promise<void> {
    const quarter = await answer({ name, n: FULL / 4, isMain });
    const full = await answer({ name, n: FULL, isMain });
    // Quadratic would be 16 times; the floor keeps the collector's moods out of small figures.
    expect(full.cpuMs).toBeLessThan(9 * Math.max(quarter.cpuMs, FLOOR_MS));
  }

  it.each(NAMES)(
    '%s: answered, in time linear in their size',
    async (name) => {
      const outcomes = [expectLinear(name, false), expectLinear(name, true)];
      for (const outcome of await Promise.allSettled(outcomes)) {
        if (outcome.status === 'rejected') throw outcome.reason;
      }
    },
    2 * PATIENCE_MS,
  );

  it.each(LARGER)(
    '%s, %i of them: answered, and the cut is named %s',
    async (name, n, truncatedBy) => {
      expect(await answer({ name, n, isMain: false })).toMatchObject({ truncatedBy });
    },
  );
});

/** Jest reports a file when all of it is done; a run that is stopped should say where it was. */
function report({ name, n, isMain }: HostileJob, answer: HostileAnswer, elapsedMs: number): void {
  const elapsed = `${(elapsedMs / 1_000).toFixed(0)} s`.padStart(6);
  const part = isMain ? 'main content' : 'whole page';
  const cut = answer.truncatedBy === null ? '' : `, cut by ${answer.truncatedBy}`;
  process.stderr.write(
    `${elapsed}  ${name} x ${n}, ${part}: ${answer.cpuMs.toFixed(0)} ms${cut}\n`,
  );
}
