import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transform } from '@swc/core';
import { projectRoot } from '@app/testing';

/** A folder with the browser pool as plain ES modules and a program beside it, for a process of its own. */
export interface CompiledPool extends AsyncDisposable {
  readonly folder: string;
  /** Path of the program. */
  readonly main: string;
}

/** `program`: source of an ES module that imports from `./pool/….js`. Any user may read it. */
export async function compilePool(program: string): Promise<CompiledPool> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trawl-pool-'));
  const source = path.join(projectRoot(), 'libs/fetch/src/browser');
  await mkdir(path.join(folder, 'pool'));
  await symlink(path.join(projectRoot(), 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  for (const name of (await readdir(source)).filter((one) => /^[\w-]+\.ts$/.test(one))) {
    const { code } = await transform(await readFile(path.join(source, name), 'utf8'), {
      swcrc: false,
      configFile: false,
      module: { type: 'es6' },
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    });
    await writeFile(path.join(folder, 'pool', name.replace('.ts', '.js')), code);
  }
  const main = path.join(folder, 'main.js');
  await writeFile(main, program);
  return {
    folder,
    main,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
