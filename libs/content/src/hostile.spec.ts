import { HOSTILE_INPUTS } from './fixtures/hostile-inputs.js';
import { HostileRunner } from './fixtures/hostile-runner.js';

/** `hostile.growth.ts` measures larger ones, and the soak those of full size. */
const SIZE = 5_000;

describe('hostile pages, all outputs at once, in a thread of 512 MB', () => {
  const runner = new HostileRunner();
  afterAll(() => runner.close());

  it.each(Object.keys(HOSTILE_INPUTS))('%s: answered', async (name) => {
    for (const isMain of [true, false])
      expect(await runner.run({ name, n: SIZE, isMain }, 50_000)).toMatchObject({ kind: 'answer' });
  });
});
