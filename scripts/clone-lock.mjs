// One installer and one builder per clone at a time: of two `npm start` in the same folder one waits.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isSame, identify } from './processes.mjs';

const pollMs = 200;
const tellAfterMs = 2_000;

/** Runs `work` while holding the lock `name`; waits for another holder, and takes over from a dead one. */
export async function withCloneLock(root, name, work) {
  const file = path.join(root, '.cache', `${name}.lock`);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    await acquire(file, name);
  } catch (error) {
    // Another user's clone: nothing can be changed in it, so no lock is needed.
    if (['EACCES', 'EROFS', 'EPERM'].includes(error.code)) return work();
    throw error;
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(file, name) {
  const startedAt = Date.now();
  let hasReported = false;
  while (!tryAcquire(file)) {
    const owner = readOwner(file);
    if (owner && !isSame(owner)) rmSync(file, { force: true });
    if (!hasReported && Date.now() - startedAt > tellAfterMs) {
      console.error(
        `[trawl] waiting for process ${owner?.pid}, which does the ${name} in this folder`,
      );
      hasReported = true;
    }
    await delay(pollMs);
  }
}

/** `link` fails when the name is taken, and shows only complete files. */
function tryAcquire(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(identify(process.pid)));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readOwner(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // released between the two calls
  }
}
