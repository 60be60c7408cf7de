import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const REPOSITORY = 'https://github.com/searxng/searxng';

/**
 * A folder with the sources of SearXNG, which runs from its repository: TEST_SEARXNG when set, or a clone in the user's
 * cache.
 */
export function searxngSource(): string {
  const given = process.env['TEST_SEARXNG'];
  if (given) return given;
  const cached = path.join(homedir(), '.cache/trawl/searxng');
  if (!existsSync(path.join(cached, 'requirements.txt'))) cloneInto(cached);
  return cached;
}

function cloneInto(folder: string): void {
  mkdirSync(path.dirname(folder), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', REPOSITORY, folder], {
      stdio: 'pipe',
    });
  } catch (cause) {
    throw new Error(
      `SearXNG for this test could not be had: clone ${REPOSITORY} and set TEST_SEARXNG to the folder`,
      { cause },
    );
  }
}
