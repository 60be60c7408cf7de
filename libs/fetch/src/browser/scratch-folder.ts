import { lstat, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir, hostname } from 'node:os';
import path from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import { startTimeOf } from '@app/processes';

/** Where browsers keep what they write, when nothing else is said. */
export function defaultScratchRoot(): string {
  return path.join(tmpdir(), `trawl-${process.getuid?.() ?? 'user'}`);
}

/**
 * A folder for one browser: its profile, HOME and TMPDIR. Nothing of it outlives the browser.
 * @throws Error when the root belongs to someone else, who could read or plant files.
 */
export async function makeScratchFolder(root: string, owner: OwnerMarker): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const { uid } = await lstat(root).then((found) => {
    if (!found.isDirectory()) throw new Error(`${root} is not a folder`);
    return found;
  });
  const ownUid = process.getuid?.();
  if (ownUid !== undefined && uid !== ownUid) throw new Error(`${root} belongs to another user`);
  return mkdtemp(path.join(root, `${owner.text}-`));
}

export function removeScratchFolder(folder: string): Promise<void> {
  // Retries: a process that is being killed may still write.
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes the folders of owners that no longer live. @returns how many. */
export async function sweepScratchFolders(root: string): Promise<number> {
  let swept = 0;
  for (const name of await namesIn(root)) {
    const owner = parseMarker(name);
    if (owner === null || !(await isOwnerDead(owner))) continue;
    await removeScratchFolder(path.join(root, name));
    swept++;
  }
  return swept;
}

/** MiB that may still be written where `root` lies. */
export async function freeMiB(root: string): Promise<number> {
  const { bavail, bsize } = await statfs(root).catch(() => statfs(path.dirname(root)));
  return (bavail * bsize) / 1024 ** 2;
}

async function namesIn(root: string): Promise<readonly string[]> {
  try {
    return await readdir(root);
  } catch {
    // Not made yet: nothing to sweep.
    return [];
  }
}

/**
 * Who started a browser: an argument of its command line and the head of its scratch folder's name. The start time makes a reused pid no trap; the host keeps two
 * machines that share a scratch volume from sweeping each other's folders.
 */
export interface OwnerMarker {
  readonly text: string;
  readonly host: string;
  readonly pid: number;
  readonly startTime: string;
}

export const OWNER_FLAG = '--trawl-owner=';
const PATTERN = /\b([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-(\d+)\b/;

export async function ownMarker(): Promise<OwnerMarker> {
  const startTime = (await startTimeOf(process.pid)) ?? '0';
  const poolId = randomBytes(4).toString('hex');
  const host = hostMark();
  const text = `${poolId}-${host}-${process.pid}-${startTime}`;
  return { text, host, pid: process.pid, startTime };
}

/** The first marker in an argument or a folder's name. */
export function parseMarker(text: string): OwnerMarker | null {
  const [whole, , host, pid, startTime] = PATTERN.exec(text) ?? [];
  if (whole === undefined || host === undefined || startTime === undefined) return null;
  return { text: whole, host, pid: Number(pid), startTime };
}

/** Whether it is known that the owner is gone. The owner of another host's marker cannot be checked here. */
export async function isOwnerDead(marker: OwnerMarker): Promise<boolean> {
  if (marker.host !== hostMark()) return false;
  return (await startTimeOf(marker.pid)) !== marker.startTime;
}

function hostMark(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}
