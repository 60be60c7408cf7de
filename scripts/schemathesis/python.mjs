import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { root, say, StartProblem } from '../bootstrap.mjs';

const installWithinMs = 600_000;
/** Written last: a folder without it was left half made. */
const doneFile = 'installed';

/**
 * Path of a Python that has the packages of a requirements file: a virtual environment below .cache, made once for each
 * content of the file and release of Python. pip finds packages as this machine is set up to.
 */
export function pythonWith(requirementsFile) {
  const release = step('python3 is not on this machine', 'python3', ['--version']);
  const name = createHash('sha256').update(release).update(readFileSync(requirementsFile));
  const cache = path.join(root, '.cache/schemathesis');
  const dir = path.join(cache, name.digest('hex').slice(0, 16));
  const interpreter = path.join(dir, 'bin/python');
  if (existsSync(path.join(dir, doneFile))) return interpreter;
  say('installing schemathesis from PyPI');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  step('python3 could not make a virtual environment', 'python3', ['-m', 'venv', dir]);
  step('pip could not install its packages', interpreter, [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirementsFile],
  ]);
  writeFileSync(path.join(dir, doneFile), release);
  return interpreter;
}

/** What a program wrote. */
function step(problem, program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: installWithinMs,
  });
  if (status === 0) return stdout.trim();
  const words = stderr?.trim().split('\n').at(-1) || error?.message || `ended with ${status}`;
  throw new StartProblem(`${problem} (${words})`);
}
