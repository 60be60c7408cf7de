// node scripts/npm-packages.mjs <folder>: prints the path of a copy of the folder with the packages of its lock. They are
// programs that tests run, never a part of the product. Needs an npm registry once.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { nodeBinary, root, runMain, say, StartProblem } from './bootstrap.mjs';
import { withCloneLock } from './clone-lock.mjs';
import { runStep } from './terminal.mjs';

const killAfterMs = 3_000;
/** Written last: a folder without it is incomplete. */
const doneFile = 'installed';
const files = ['package.json', 'package-lock.json'];
/** Install scripts would run code of packages that only a test needs. */
const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Path of the packages that a folder's lock names: a folder below .cache, created once for each content of its files
 * and release of Node. npm checks each package by the lock's hash and uses this machine's configuration.
 */
export function packagesOf(folder) {
  return withCloneLock(root, 'npm-packages', () => installed(folder));
}

async function installed(folder) {
  const name = createHash('sha256').update(nodeBinary());
  for (const file of files) name.update(readFileSync(path.join(folder, file)));
  const dir = path.join(root, '.cache/npm-packages', name.digest('hex').slice(0, 16));
  if (existsSync(path.join(dir, doneFile))) return dir;
  say(`installing ${path.relative(root, folder)} from npm`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const file of files) copyFileSync(path.join(folder, file), path.join(dir, file));
  const { code, output } = await runStep('npm', ['ci', ...flags], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    killAfterMs,
  });
  if (code !== 0) throw new StartProblem(`npm could not install its packages (${lastOf(output)})`);
  writeFileSync(path.join(dir, doneFile), '');
  return dir;
}

const lastOf = (output) => output.trim().split('\n').at(-1);

if (process.argv[1] === fileURLToPath(import.meta.url))
  runMain(async () => console.log(await packagesOf(path.resolve(process.argv[2]))));
