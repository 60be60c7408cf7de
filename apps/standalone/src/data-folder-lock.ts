import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { isAlive, startedAt } from '@app/processes';

interface Owner {
  readonly pid: number;
  readonly startedAt: string;
}

/** Another live process uses the data folder. */
export class DataFolderInUse extends Error {
  constructor(
    readonly dataDir: string,
    readonly ownerPid: number,
  ) {
    super(
      `data folder ${dataDir} is in use by process ${ownerPid}; stop that process, or set another DATA_DIR for this one`,
    );
    this.name = 'DataFolderInUse';
  }
}

/**
 * Locks the data folder for this process, so that two processes never write to it. A lock left by a killed process is
 * taken over. Limits: it sees only processes of this machine (and container); do not share the folder between two.
 * @returns a function that releases the lock
 * @throws DataFolderInUse
 */
export function lockDataFolder(dataDir: string): () => void {
  const file = path.join(dataDir, 'lock');
  const mine = JSON.stringify({ pid: process.pid, startedAt: startedAt(process.pid) ?? '' });
  for (let tries = 0; tries < 5; tries++) {
    if (createAtomically(file, mine)) return () => release(file, mine);
    const owner = readOwner(file);
    if (owner !== undefined && isRunning(owner)) throw new DataFolderInUse(dataDir, owner.pid);
    putAside(file);
  }
  throw new Error(`data folder ${dataDir}: other processes keep taking the lock ${file}`);
}

/** `link` fails for an existing name and publishes the file only when it is complete. */
function createAtomically(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o644 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readOwner(file: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined; // vanished between the two calls, or damaged: without an owner the lock is free
  }
}

function isOwner(value: unknown): value is Owner {
  const owner = value as Partial<Owner> | null;
  return typeof owner?.pid === 'number' && typeof owner.startedAt === 'string';
}

/** The start time distinguishes the owner from a later process with the same pid. */
function isRunning(owner: Owner): boolean {
  return isAlive(owner.pid) && startedAt(owner.pid) === owner.startedAt;
}

/**
 * Removes a stale lock. If two processes see it, only one rename succeeds; a slow second one may catch the winner's
 * new lock instead, sees that its owner lives, and restores it.
 */
function putAside(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const owner = readOwner(aside);
  if (owner !== undefined && isRunning(owner)) renameSync(aside, file);
  else rmSync(aside, { force: true });
}

function release(file: string, mine: string): void {
  const owner = readOwner(file);
  if (owner !== undefined && JSON.stringify(owner) === mine) rmSync(file, { force: true });
}
