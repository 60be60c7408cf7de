// Chromium for tests: a program, not a server; the tests start it themselves. It is the one that users get.
import { existsSync } from 'node:fs';

import { StartProblem } from '../bootstrap.mjs';
import { ensureChromium } from '../chromium.mjs';

export const chromium = {
  name: 'chromium',
  given: 'CHROMIUM_PATH',
  isProgram: true,

  async start({ log }) {
    const url = await ensureChromium({ log });
    if (!url) throw new StartProblem('tests need a Chromium: set CHROMIUM_PATH');
    return { url };
  },

  isHealthy: async (state) => existsSync(state.url),
  stop: async () => undefined,
  env: (state) => ({ CHROMIUM_PATH: state.url }),
};
