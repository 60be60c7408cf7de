// node scripts/python.mjs <requirements file>: prints the path of a Python with those packages. Needs python3
// with venv, and PyPI once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { root, runMain, say, StartProblem } from './bootstrap.mjs';
import { withCloneLock } from './clone-lock.mjs';

const installWithinMs = 600_000;
/** Written last: a folder without it is incomplete. */
const doneFile = 'installed';

/**
 * Path of a Python with the packages of a requirements file: a virtual environment below .cache, created once
 * for each content of the file and release of Python. pip uses this machine's configuration.
 */
export function pythonWith(requirementsFile) {
  return withCloneLock(root, 'python', () => environmentWith(requirementsFile));
}

function environmentWith(requirementsFile) {
  const release = step('python3 is not installed', 'python3', ['--version']);
  const name = createHash('sha256').update(release).update(readFileSync(requirementsFile));
  const cache = path.join(root, '.cache/python');
  const dir = path.join(cache, name.digest('hex').slice(0, 16));
  const interpreter = path.join(dir, 'bin/python');
  if (existsSync(path.join(dir, doneFile))) return interpreter;
  say(`installing ${path.relative(root, requirementsFile)} from PyPI`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  step('python3 could not make a virtual environment', 'python3', ['-m', 'venv', dir]);
  step('pip could not install its packages', interpreter, [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirementsFile],
  ]);
  writeFileSync(path.join(dir, doneFile), release);
  return interpreter;
}

/** The output of a program. */
function step(problem, program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: installWithinMs,
  });
  if (status === 0) return stdout.trim();
  const words = stderr?.trim().split('\n').at(-1) || error?.message || `ended with ${status}`;
  throw new StartProblem(`${problem} (${words})`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  runMain(async () => console.log(await pythonWith(path.resolve(process.argv[2]))));
