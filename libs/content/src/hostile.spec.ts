import { HOSTILE_INPUTS } from './fixtures/hostile-inputs.js';
import { type HostileAnswer, HostileRunner } from './fixtures/hostile-runner.js';

const NAMES = Object.keys(HOSTILE_INPUTS);

/** Sizes whose times are compared, and the time below which a figure says nothing. */
const SMALL = 5_000;
const LARGE = 4 * SMALL;
const FLOOR_MS = 20;

describe('hostile pages, all outputs at once, in a thread of 512 MB', () => {
  const runner = new HostileRunner();
  afterAll(() => runner.close());

  async function answer(name: string, n: number, isMain: boolean): Promise<HostileAnswer> {
    const outcome = await runner.run({ name, n, isMain }, 20_000);
    if (outcome.kind === 'answer') return outcome;
    throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  }

  it.each(NAMES)('%s: answered, in time linear in their size', async (name) => {
    const times = { small: Infinity, large: Infinity };
    for (const isMain of [true, false]) {
      const small = await answer(name, SMALL, isMain);
      const large = await answer(name, LARGE, isMain);
      if (small.cpuMs < times.small) times.small = small.cpuMs;
      if (large.cpuMs < times.large) times.large = large.cpuMs;
    }
    // Quadratic would be 16 times; a second look at the worst keeps a busy machine out of it.
    const bound = (): number => 9 * Math.max(times.small, FLOOR_MS);
    for (let again = 0; again < 3 && times.large > bound(); again++) {
      times.large = Math.min(times.large, (await answer(name, LARGE, false)).cpuMs);
    }
    expect(times.large).toBeLessThan(bound());
  });
});
