// npm run check: must pass before a change is proposed. Needs no servers; every step runs, then the summary.
import { spawn } from 'node:child_process';
import path from 'node:path';

import { ensureInstalled, nodeBinary, passSignalsTo, root, runMain, say } from './bootstrap.mjs';

const bin = (file) => path.join(root, 'node_modules', file);
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  bin('jest/bin/jest.js'),
  '--maxWorkers=2',
];
const steps = [
  ['format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.']],
  ['lint', [bin('eslint/bin/eslint.js'), '.']],
  ['types', [bin('typescript/bin/tsc'), '-p', 'tsconfig.json']],
  ['package-lock.json', [path.join(root, 'scripts/complete-lock.mjs'), '--check']],
  ['unit tests and architecture', [...jest, '--testRegex=\\.spec\\.ts$']],
];

runMain(async () => {
  await ensureInstalled({ dev: true });
  const failed = [];
  for (const [name, args] of steps) {
    const startedAt = Date.now();
    const code = await run(args);
    say(
      `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`,
    );
    if (code !== 0) failed.push(name);
  }
  say(failed.length ? `not ready: ${failed.join(', ')}` : 'all green');
  return failed.length ? 1 : 0;
});

function run(args) {
  const child = spawn(nodeBinary(), args, { cwd: root, stdio: 'inherit' });
  const forget = passSignalsTo(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      forget();
      resolve(code ?? signal);
    });
  });
}
