import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import { compileModules, sourcesIn } from '../../../test/setup/compile-modules.js';

/** A folder with the browser pool as plain ES modules and a program beside it, for a process of its own. */
export interface CompiledPool extends AsyncDisposable {
  readonly folder: string;
  /** Path of the program. */
  readonly main: string;
}

/** `program`: source of an ES module that imports from `./pool/….js`. Any user may read it. */
export async function compilePool(program: string): Promise<CompiledPool> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trawl-pool-'));
  compileModules(path.join(folder, 'pool'), {
    ...sourcesIn('libs/fetch/src/browser'),
    // All that the pool runs of libs/turns.
    turns: 'libs/turns/src/tenant-turns.ts',
  });
  await symlink(path.join(projectRoot(), 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const main = path.join(folder, 'main.js');
  await writeFile(main, program);
  return {
    folder,
    main,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
