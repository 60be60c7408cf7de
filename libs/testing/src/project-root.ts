import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, found from this file whether it runs from `libs/` or from `dist/libs/`. */
export function projectRoot(): string {
  let dir = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(dir, 'package.json'))) {
    const parent = path.dirname(dir);
    if (parent === dir) throw new Error('no package.json above this file');
    dir = parent;
  }
  return dir;
}

/** The Node that the project pins, which may be newer than the one on the PATH. */
export function projectNode(): string {
  const pinned = path.join(projectRoot(), 'node_modules/node/bin/node');
  return existsSync(pinned) ? pinned : process.execPath;
}
