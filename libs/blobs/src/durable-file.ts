import { mkdir, open, rename, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '@app/contracts';

/** Retries, because another process may remove the folder while it is empty. */
const MAX_FOLDER_TRIES = 5;

/** Creates the folder and its parents, durably: they survive a power failure. */
export async function makeDurableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

/** Renames a synced file atomically, and creates the folder if it is missing. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const folder = path.dirname(to);
  for (let tries = 1; ; tries++) {
    try {
      await rename(from, to);
      return await syncFolder(folder);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === MAX_FOLDER_TRIES) throw error;
      await makeDurableFolder(folder);
    }
  }
}

/** Removes the folder and its parents up to `root` as long as they are empty. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let empty = folder; empty.startsWith(root + path.sep); empty = path.dirname(empty)) {
    try {
      await rmdir(empty);
    } catch {
      return; // not empty, or another process removed it: nothing is left to do
    }
  }
}

/** A rename is durable only when the folder is synced as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
