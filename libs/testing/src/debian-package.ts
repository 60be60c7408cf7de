import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Files of a Debian package: where it is installed, or fetched and unpacked once into the user's cache,
 * which needs no root. `inside` is a path of the package's, relative to `/`; the answer is where it is.
 *
 * @param instead what else a person may do, for the error when the package cannot be had
 */
export function debianFiles(name: string, inside: string, instead = ''): string {
  if (hasFiles(`/${inside}`)) return `/${inside}`;
  const cached = path.join(homedir(), '.cache/trawl', name);
  if (!hasFiles(path.join(cached, inside))) unpackInto(cached, name, instead);
  const found = path.join(cached, inside);
  if (!hasFiles(found)) throw new Error(`the Debian package ${name} has no ${inside}`);
  return found;
}

/** Small images leave out the files of manuals, not their folders. */
function hasFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

function unpackInto(folder: string, name: string, instead: string): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'trawl-debian-'));
  try {
    download(name, scratch);
    const [deb] = readdirSync(scratch).filter((file) => file.endsWith('.deb'));
    const unpacked = path.join(scratch, 'unpacked');
    execFileSync('dpkg-deb', ['-x', path.join(scratch, deb ?? ''), unpacked]);
    mkdirSync(path.dirname(folder), { recursive: true });
    rmSync(folder, { recursive: true, force: true });
    moveFolder(unpacked, folder);
  } catch (cause) {
    throw new Error(
      `the pages of ${name} for this test could not be had: apt-get install ${name}${instead}`,
      { cause },
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A machine that never updated its package lists does that first. */
function download(name: string, folder: string): void {
  // apt drops to a user of its own, which cannot write here; root downloads as itself.
  const command = ['-o', 'APT::Sandbox::User=root', 'download', name];
  try {
    execFileSync('apt-get', command, { cwd: folder, stdio: 'pipe' });
  } catch {
    execFileSync('apt-get', ['update'], { stdio: 'pipe' });
    execFileSync('apt-get', command, { cwd: folder, stdio: 'pipe' });
  }
}

function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Another test of this run has put it there meanwhile.
    if (existsSync(to)) return;
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // Another file system: copy. The finally of the caller removes the source.
    execFileSync('cp', ['-a', from, to]);
  }
}
