import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

const PACKAGE = 'postgresql-doc-15';
const INSIDE = 'usr/share/doc/postgresql-doc-15/html';

/**
 * A folder with the HTML manual of PostgreSQL 15, over a thousand real pages: TEST_REAL_SITE when set,
 * the installed Debian package, or the package fetched and unpacked once into the user's cache.
 */
export function realSite(): string {
  const given = process.env['TEST_REAL_SITE'];
  if (given) return given;
  if (existsSync(`/${INSIDE}/index.html`)) return `/${INSIDE}`;
  const cached = path.join(homedir(), '.cache/trawl', PACKAGE);
  if (!existsSync(path.join(cached, INSIDE, 'index.html'))) unpackInto(cached);
  return path.join(cached, INSIDE);
}

function unpackInto(folder: string): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'trawl-real-site-'));
  try {
    download(scratch);
    const [deb] = readdirSync(scratch).filter((name) => name.endsWith('.deb'));
    const unpacked = path.join(scratch, 'unpacked');
    execFileSync('dpkg-deb', ['-x', path.join(scratch, deb ?? ''), unpacked]);
    mkdirSync(path.dirname(folder), { recursive: true });
    rmSync(folder, { recursive: true, force: true });
    moveFolder(unpacked, folder);
  } catch (cause) {
    throw new Error(
      `the real pages for this test could not be had: install ${PACKAGE} (apt-get install ${PACKAGE}) or set ` +
        'TEST_REAL_SITE to a folder with its HTML files',
      { cause },
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Needs no root; a machine that never updated its package lists does that first. */
function download(folder: string): void {
  // apt drops to a user of its own, which cannot write here; root downloads as itself.
  const command = ['-o', 'APT::Sandbox::User=root', 'download', PACKAGE];
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
  } catch {
    // Another file system: copy. The finally of the caller removes the source.
    execFileSync('cp', ['-a', from, to]);
  }
}
