import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Full path of the first of these that can be run: a path directly, a name by PATH. */
export function findProgram(candidates) {
  return candidates
    .map((name) => (name.includes('/') ? runnable(name) : onPath(name)))
    .find(Boolean);
}

export function onPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => runnable(path.join(folder, name))).find(Boolean);
}

function runnable(file) {
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}

/** Programs built once and kept outside the clone; in the temp folder if the home is read-only. */
export function programCache() {
  const home = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
  return [
    path.join(home, 'trawl/bin'),
    path.join(os.tmpdir(), `trawl-cache-${process.getuid?.() ?? 0}/bin`),
  ];
}
