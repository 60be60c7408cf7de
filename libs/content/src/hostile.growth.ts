import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { HOSTILE_INPUTS } from './fixtures/hostile-inputs.js';
import { type HostileAnswer, HostileRunner } from './fixtures/hostile-runner.js';

const NAMES = Object.keys(HOSTILE_INPUTS);

/** The least size of a page: enough for what is squared to show. */
const LEAST = 5_000;
/** Full size is the soak's. */
const MOST = 160_000;

describe('hostile pages, all outputs at once, in a thread of 512 MB', () => {
  const runner = new HostileRunner();
  afterAll(() => runner.close());

  async function answer(name: string, n: number, isMain: boolean): Promise<HostileAnswer> {
    const outcome = await runner.run({ name, n, isMain }, 20_000);
    if (outcome.kind === 'answer') return outcome;
    throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  }

  it.each(NAMES)('%s: answered, in time linear in their size', async (name) => {
    const cost = cpuCost(Number, async (n) => {
      for (const isMain of [true, false]) await answer(name, n, isMain);
    });
    expect(await growthOf(cost, { from: LEAST, upTo: MOST })).toBeLessThan(LINEAR_GROWTH);
  });
});
