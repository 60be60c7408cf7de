// Chromium for tests: a program, not a server; the tests start it themselves.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { StartProblem } from '../bootstrap.mjs';
import { installDebian } from './debian.mjs';
import { findProgram, onPath } from './find-program.mjs';

const candidates = [
  // Costs about a third less per page than the whole browser.
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const chromium = {
  name: 'chromium',
  given: 'CHROMIUM_PATH',
  isProgram: true,

  async start({ log }) {
    // Where it can be installed the shell is what tests run with, also beside a whole browser.
    const isInstallable = process.getuid?.() === 0 && onPath('apt-get') !== undefined;
    if (!findProgram(isInstallable ? ['chromium-headless-shell'] : candidates)) {
      await installDebian(['chromium-headless-shell', 'fonts-liberation'], log);
    }
    const url = findProgram(candidates);
    if (!url)
      throw new StartProblem('no Chromium on the PATH after installing it; set CHROMIUM_PATH');
    assertRuns(url);
    return { url };
  },

  isHealthy: async (state) => existsSync(state.url),
  stop: async () => undefined,
  env: (state) => ({ CHROMIUM_PATH: state.url }),
};

function assertRuns(program) {
  const answer = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  if (answer.status !== 0) throw new StartProblem(`${program} --version failed: ${answer.stderr}`);
}
