import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformFileSync } from '@swc/core';
import { projectRoot } from '@app/testing';

/**
 * Writes sources as plain ES modules into a folder, for a program in a process of its own that any user may run.
 * libs/processes is always among them.
 * @param sources files of the repository by the names of their modules; `@app/x` becomes `./x.js`
 */
export function compileModules(folder: string, sources: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  const { index, ...parts } = sourcesIn('libs/processes/src');
  const all = { ...sources, ...parts, processes: index ?? '' };
  for (const [name, file] of Object.entries(all)) {
    const { code } = transformFileSync(path.join(projectRoot(), file), {
      swcrc: false,
      configFile: false,
      module: { type: 'es6' },
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    });
    const module = code.replace(/(['"])@app\/([\w-]+)\1/g, "'./$2.js'");
    writeFileSync(path.join(folder, `${name}.js`), module);
  }
}

/** The sources of a folder without its specs, by the names of their modules. */
export function sourcesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(path.join(projectRoot(), folder));
  const names = files.filter((file) => /^[\w-]+\.ts$/.test(file));
  return Object.fromEntries(names.map((file) => [file.slice(0, -3), `${folder}/${file}`]));
}
