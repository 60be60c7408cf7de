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

/** All that the pool runs of other libraries. */
const TURNS = path.join(projectRoot(), 'libs/contracts/src/tenant-turns.ts');
const TURNS_MODULE = 'tenant-turns.js';

/** `program`: source of an ES module that imports from `./pool/….js`. Any user may read it. */
export async function compilePool(program: string): Promise<CompiledPool> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trawl-pool-'));
  const source = path.join(projectRoot(), 'libs/fetch/src/browser');
  await mkdir(path.join(folder, 'pool'));
  await symlink(path.join(projectRoot(), 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const names = (await readdir(source)).filter((one) => /^[\w-]+\.ts$/.test(one));
  const files = [...names.map((name) => path.join(source, name)), TURNS];
  for (const file of files) {
    const { code } = await transform(await readFile(file, 'utf8'), {
      swcrc: false,
      configFile: false,
      module: { type: 'es6' },
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    });
    const module = path.join(folder, 'pool', path.basename(file).replace('.ts', '.js'));
    await writeFile(module, code.replace(/(['"])@app\/contracts\1/, `'./${TURNS_MODULE}'`));
  }
  const main = path.join(folder, 'main.js');
  await writeFile(main, program);
  return {
    folder,
    main,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
