// A thread that imports this runs TypeScript straight from the sources, libraries by their @app names.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const libs = new URL('../../libs/', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const library = /^@app\/([\w-]+)$/.exec(specifier)?.[1];
    if (library !== undefined) {
      return { url: new URL(`${library}/src/index.ts`, libs).href, shortCircuit: true };
    }
    if (specifier.startsWith('.') && specifier.endsWith('.js')) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(source)) return { url: source.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      configFile: false,
      swcrc: false,
      jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true } },
      module: { type: 'es6' },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
