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

/** All that the pool runs of other libraries, by the names of the modules; `@app/x` becomes `./x.js`. */
const OTHERS: Readonly<Record<string, string>> = {
  contracts: 'libs/contracts/src/tenant-turns.ts',
  processes: 'libs/processes/src/index.ts',
  'proc-files': 'libs/processes/src/proc-files.ts',
  'process-identity': 'libs/processes/src/process-identity.ts',
  'process-table': 'libs/processes/src/process-table.ts',
  'container-memory': 'libs/processes/src/container-memory.ts',
};

/** `program`: source of an ES module that imports from `./pool/….js`. Any user may read it. */
export async function compilePool(program: string): Promise<CompiledPool> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trawl-pool-'));
  const source = path.join(projectRoot(), 'libs/fetch/src/browser');
  await mkdir(path.join(folder, 'pool'));
  await symlink(path.join(projectRoot(), 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const names = (await readdir(source)).filter((one) => /^[\w-]+\.ts$/.test(one));
  const own = names.map((name) => [name.replace('.ts', ''), path.join(source, name)] as const);
  const others = Object.entries(OTHERS).map(
    ([name, file]) => [name, path.join(projectRoot(), file)] as const,
  );
  for (const [name, file] of [...own, ...others]) {
    const { code } = await transform(await readFile(file, 'utf8'), {
      swcrc: false,
      configFile: false,
      module: { type: 'es6' },
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    });
    const module = path.join(folder, 'pool', `${name}.js`);
    await writeFile(module, code.replace(/(['"])@app\/([\w-]+)\1/g, "'./$2.js'"));
  }
  const main = path.join(folder, 'main.js');
  await writeFile(main, program);
  return {
    folder,
    main,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
