import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import type { RunAs } from '@app/processes';

import { majorVersion, reachableBinaries, serverEnvironment } from './postgres-binaries.js';

/** The server's folders and the user that owns them. */
export interface PostgresHome {
  /** Contains `data`, `password`, `port`, the log, and a copy of the binaries if needed. */
  readonly dir: string;
  /** The cluster itself (PGDATA). */
  readonly cluster: string;
  readonly logFile: string;
  readonly native: string;
  readonly runAs?: RunAs;
}

export interface HomeRequest {
  readonly dataDir: string;
  readonly native: string;
  readonly log: (line: string) => void;
}

/** Unprivileged, and present on every distribution. */
const nobody = 65534;

/** Root's home is closed to the server's user, so root's databases are where system services keep theirs. */
const rootPlacements = '/var/lib/trawl';

/**
 * Finds or creates the server's folder. If root starts it, the server must run as another user (PostgreSQL rejects
 * root), and that user must reach the folder: if it cannot, the folder is in /var/lib/trawl, and `dataDir/postgres-at`
 * contains its path.
 */
export function locatePostgresHome({ dataDir, native, log }: HomeRequest): PostgresHome {
  const runAs = process.getuid?.() === 0 ? serverUser(dataDir) : undefined;
  const dir = placeHome(dataDir, runAs, log);
  return {
    dir,
    cluster: path.join(dir, 'data'),
    logFile: path.join(dir, 'postgres.log'),
    native: reachableBinaries(native, path.join(dir, 'native'), runAs),
    runAs,
  };
}

/**
 * Opens the cluster or creates one; no server may be running on it.
 * @returns the password of its user `postgres`
 * @throws if another major version created it, or it is damaged
 */
export function openCluster(home: PostgresHome, log: (line: string) => void): string {
  if (existsSync(path.join(home.cluster, 'PG_VERSION'))) return passwordOf(home);
  if (existsSync(home.cluster)) {
    throw new Error(
      `${home.cluster} exists but is no PostgreSQL cluster; move it away to start empty`,
    );
  }
  return createCluster(home, log);
}

/** The owner of the cluster, else of the data folder, else the user `nobody`; never root. */
function serverUser(dataDir: string): RunAs {
  const cluster = path.join(postgresPlace(dataDir), 'data');
  const owner = ownerOf(cluster);
  if (owner !== undefined && owner.uid !== 0) return owner;
  const neighbour = ownerOf(dataDir);
  if (neighbour !== undefined && neighbour.uid !== 0 && hasName(neighbour.uid)) return neighbour;
  return { uid: nobody, gid: nobody };
}

function ownerOf(file: string): RunAs | undefined {
  if (!existsSync(file)) return undefined;
  const { uid, gid } = statSync(file);
  return { uid, gid };
}

/** initdb rejects a user without an entry in /etc/passwd; the server itself does not need one. */
function hasName(uid: number): boolean {
  return spawnSync('id', ['-un', String(uid)], { stdio: 'ignore' }).status === 0;
}

function placeHome(dataDir: string, runAs: RunAs | undefined, log: (line: string) => void): string {
  const recorded = recordedPlace(dataDir);
  const dir = recorded ?? path.join(dataDir, 'postgres');
  makeHome(dir, runAs);
  if (runAs === undefined || canReach(dir, runAs)) return dir;
  openForTraversal(dataDir);
  if (canReach(dir, runAs)) return dir;
  if (recorded !== undefined || existsSync(path.join(dir, 'data'))) throw unreachable(dir, runAs);
  return placeElsewhere(dataDir, runAs, log);
}

/** The server's folder for a data folder, whether or not it exists: see {@link PostgresHome.dir}. */
export function postgresPlace(dataDir: string): string {
  return recordedPlace(dataDir) ?? path.join(dataDir, 'postgres');
}

function recordedPlace(dataDir: string): string | undefined {
  const note = path.join(dataDir, 'postgres-at');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined;
}

function makeHome(dir: string, runAs: RunAs | undefined): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    if (runAs !== undefined) chownSync(dir, runAs.uid, runAs.gid);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`cannot write to ${dir}; ${ownerAdvice(dir)}`, { cause });
  }
}

/** Checks as that user: root itself passes every permission check. */
function canReach(dir: string, runAs: RunAs): boolean {
  const answer = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', dir], {
    ...runAs,
    cwd: '/',
    stdio: 'ignore',
  });
  return answer.status === 0;
}

/** The server needs only the right to pass through; listing and reading are unchanged. */
function openForTraversal(dataDir: string): void {
  chmodSync(dataDir, statSync(dataDir).mode | 0o011);
}

function placeElsewhere(dataDir: string, runAs: RunAs, log: (line: string) => void): string {
  rmSync(path.join(dataDir, 'postgres'), { recursive: true, force: true });
  const dir = path.join(rootPlacements, `postgres-${randomBytes(6).toString('hex')}`);
  mkdirSync(rootPlacements, { recursive: true, mode: 0o755 });
  makeHome(dir, runAs);
  if (!canReach(dir, runAs)) throw unreachable(dir, runAs);
  writeFileSync(path.join(dir, 'belongs-to'), `${dataDir}\n`);
  writeFileSync(path.join(dataDir, 'postgres-at'), `${dir}\n`);
  log(`PostgreSQL's user (uid ${runAs.uid}) cannot enter ${dataDir}; its files go to ${dir}`);
  return dir;
}

function unreachable(dir: string, runAs: RunAs): Error {
  return new Error(
    `PostgreSQL's user (uid ${runAs.uid}) cannot enter ${dir}: a folder above it is closed to other users; ` +
      'choose a DATA_DIR that every user can pass through (such as /var/lib/trawl), or do not run as root',
  );
}

function ownerAdvice(dir: string): string {
  const nearest = existsSync(dir) ? dir : path.dirname(dir);
  if (!existsSync(nearest)) return 'choose another DATA_DIR';
  const { uid } = statSync(nearest);
  return `${nearest} belongs to uid ${uid}, this process is uid ${process.getuid?.() ?? 'unknown'}: run as its owner, change the owner, or choose another DATA_DIR`;
}

function passwordOf(home: PostgresHome): string {
  assertSameMajor(home);
  const file = path.join(home.dir, 'password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const password = newPassword();
  resetPassword(home, password);
  savePrivately(file, password, home.runAs);
  return password;
}

function assertSameMajor(home: PostgresHome): void {
  const found = readFileSync(path.join(home.cluster, 'PG_VERSION'), 'utf8').trim();
  const ours = String(majorVersion(home.native, home.runAs));
  if (found === ours) return;
  throw new Error(
    `${home.cluster} was created by PostgreSQL ${found}; this program includes PostgreSQL ${ours}, which cannot open it; ` +
      `dump it with the version that created it (pg_dumpall) and load it into an empty DATA_DIR, or go back to that version`,
  );
}

/** Into a draft folder first: an interrupted initdb never looks like a cluster. */
function createCluster(home: PostgresHome, log: (line: string) => void): string {
  const uid = home.runAs?.uid ?? process.getuid?.() ?? nobody;
  if (!hasName(uid)) {
    throw new Error(
      `uid ${uid} has no entry in /etc/passwd, which PostgreSQL's initdb needs; run as a user that has one, ` +
        'or set DATABASE_URL to a PostgreSQL of your own',
    );
  }
  const draft = path.join(home.dir, 'data.new');
  const secret = path.join(home.dir, 'password');
  const password = existsSync(secret) ? readFileSync(secret, 'utf8').trim() : newPassword();
  rmSync(draft, { recursive: true, force: true });
  savePrivately(secret, password, home.runAs);
  log(`creating a PostgreSQL cluster in ${home.cluster}`);
  run(home, 'initdb', [
    ...['-D', draft, '-U', 'postgres', '-E', 'UTF8', '--locale=C'],
    ...['-A', 'scram-sha-256', `--pwfile=${secret}`],
  ]);
  renameSync(draft, home.cluster);
  return password;
}

/** Single-user mode needs no password; it works only while no server runs on the cluster. */
function resetPassword(home: PostgresHome, password: string): void {
  const statement = `ALTER USER postgres PASSWORD '${password}'\n`;
  run(home, 'postgres', ['--single', '-D', home.cluster, 'postgres'], statement);
}

function run(home: PostgresHome, program: string, args: readonly string[], input?: string): void {
  const answer = spawnSync(path.join(home.native, 'bin', program), args, {
    ...home.runAs,
    cwd: home.dir,
    env: serverEnvironment(home.native),
    encoding: 'utf8',
    input: input ?? '',
  });
  if (answer.status === 0) return;
  const said = answer.error?.message ?? `${answer.stdout}\n${answer.stderr}`.trim().slice(-2_000);
  throw new Error(`${program} failed: ${said}`);
}

function newPassword(): string {
  return randomBytes(24).toString('hex');
}

function savePrivately(file: string, text: string, runAs: RunAs | undefined): void {
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  if (runAs !== undefined) chownSync(file, runAs.uid, runAs.gid);
}
