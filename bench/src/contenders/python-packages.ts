import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { LeftOut } from '../contender.js';

const run = promisify(execFile);

const INSTALL_WITHIN_MS = 600_000;
/** Written last: a folder without it was left half made. */
const DONE_FILE = 'installed';

/**
 * A Python that has the packages of a requirements file: a virtual environment below `cacheDir`, made
 * once for each content of the file and release of Python. pip finds packages as this machine is set up to.
 * @returns path of its interpreter
 * @throws LeftOut without python3, its venv module, or packages that pip can get
 */
export async function pythonWith(
  requirementsFile: string,
  cacheDir: string,
  python = 'python3',
): Promise<string> {
  const release = await step('python3 is not on this machine', python, ['--version']);
  const dir = path.join(cacheDir, nameOf(release, await readFile(requirementsFile)));
  const interpreter = path.join(dir, 'bin/python');
  if (existsSync(path.join(dir, DONE_FILE))) return interpreter;
  await rm(dir, { recursive: true, force: true });
  await mkdir(cacheDir, { recursive: true });
  await step('python3 could not make a virtual environment', python, ['-m', 'venv', dir]);
  await step('pip could not install its packages', interpreter, [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
    ...['-r', requirementsFile],
  ]);
  await writeFile(path.join(dir, DONE_FILE), release);
  return interpreter;
}

function nameOf(release: string, requirements: Buffer): string {
  return createHash('sha256').update(release).update(requirements).digest('hex').slice(0, 16);
}

/** What a program wrote. */
async function step(problem: string, program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(program, [...args], { timeout: INSTALL_WITHIN_MS });
    return stdout.trim();
  } catch (cause) {
    throw new LeftOut(`${problem} (${lastWords(cause)})`, { cause });
  }
}

/** The last line a program complained with, or why it did not start. */
function lastWords(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
  return stderr?.trim().split('\n').at(-1) || message;
}
