import { HOSTILE_INPUTS } from './fixtures/hostile-inputs.js';
import { type HostileAnswer, HostileRunner } from './fixtures/hostile-runner.js';

const NAMES = Object.keys(HOSTILE_INPUTS);

/** What a page may take here, however slow the machine: far more than its own deadline. */
const PATIENCE_MS = 240_000;

/** The worst that there is of each kind. */
const FULL = 1_000_000;
const FLOOR_MS = 150;

/** Sizes beyond that, and what names the cut; null: nothing is cut. */
const LARGER: readonly (readonly [name: string, n: number, cut: string | null])[] = [
  ['nested tags', 2_000_000, 'max_depth'],
  ['attributes of one element', 1_000_000, 'max_attributes'],
  ['attributes of many elements', 3_000_000, null],
  ['one long text', 20_000_000, 'max_markdown_chars'],
  ['one long attribute', 12_500_000, null],
  ['an inlined picture', 50_000_000, null],
  ['character references', 4_000_000, null],
  ['frames in frames', 3_000_000, 'max_markdown_chars'],
  ['rules', 4_000_000, 'max_nodes'],
  ['a table of many rows', 400_000, null],
  ['links', 1_000_000, 'max_links'],
  ['one long script', 40_000_000, null],
];

describe('hostile pages of full size, all outputs at once, in a thread of 512 MB', () => {
  const runner = new HostileRunner();
  afterAll(() => runner.close());

  async function answer(name: string, n: number, isMain: boolean): Promise<HostileAnswer> {
    const outcome = await runner.run({ name, n, isMain }, PATIENCE_MS);
    if (outcome.kind === 'answer') return outcome;
    throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  }

  it.each(NAMES)(
    '%s: answered, in time linear in their size',
    async (name) => {
      for (const isMain of [false, true]) {
        const quarter = await answer(name, FULL / 4, isMain);
        const full = await answer(name, FULL, isMain);
        // Quadratic would be 16 times; the floor keeps the collector's moods out of small figures.
        expect(full.cpuMs).toBeLessThan(9 * Math.max(quarter.cpuMs, FLOOR_MS));
      }
    },
    4 * PATIENCE_MS,
  );

  it.each(LARGER)(
    '%s, %i of them: answered, and the cut is named %s',
    async (name, n, truncatedBy) => {
      expect(await answer(name, n, false)).toMatchObject({ truncatedBy });
    },
    PATIENCE_MS,
  );
});
