// The folder of this clone's test servers, and the file with their state.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { root, StartProblem } from '../bootstrap.mjs';

const uid = process.getuid?.() ?? 0;
const cloneHash = createHash('sha256').update(root).digest('hex').slice(0, 10);
/** Tests that kill servers have a set of their own, beside the one that other tests use. */
const set = process.env.TRAWL_TEST_SERVERS ? `-${process.env.TRAWL_TEST_SERVERS}` : '';
export const scratchDir = path.join(os.tmpdir(), `trawl-services-${uid}-${cloneHash}${set}`);
const stateFile = path.join(scratchDir, 'state.json');

/** The temp folder is shared: a folder of that name that another user created is refused. */
export function makeScratch(name) {
  mkdirSync(scratchDir, { recursive: true, mode: 0o711 });
  const found = lstatSync(scratchDir);
  if (!found.isDirectory() || (process.getuid && found.uid !== uid)) {
    throw new StartProblem(
      `${scratchDir} belongs to another user (uid ${found.uid}); remove it, or set TMPDIR to another folder`,
    );
  }
  const dir = path.join(scratchDir, name);
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  return dir;
}

/** The started servers, by service. */
export function readState() {
  return existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
}

/** `undefined` removes the service. */
export function saveState(name, state) {
  const all = { ...readState(), [name]: state };
  makeScratch('.');
  writeFileSync(`${stateFile}.new`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${stateFile}.new`, stateFile);
}
