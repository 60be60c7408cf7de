// Loads libraries of the product with their source text changed, in memory: nothing is written, and
// the product has no switch for it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const libs = fileURLToPath(new URL('../../libs/', import.meta.url));
const requireReal = createRequire(import.meta.url);
const unchanged = new Map();

/**
 * @param edits [file relative to libs/, text as it is there once, text instead], and where the
 *   text may be elsewhere too, a text that is once and before it
 * @returns load(file): what the module exports; every module is loaded afresh for this loader
 * @throws Error when an edit does not fit the source any more
 */
export function loaderWith(edits) {
  const changed = new Map();
  for (const [file, from, to, after] of edits) {
    const text = changed.get(file) ?? readFileSync(path.join(libs, file), 'utf8');
    const replace = after === undefined ? replaceOnce : replaceAfter;
    changed.set(file, replace(file, text, from, to, after));
  }
  const loaded = new Map();
  return function load(file) {
    const found = loaded.get(file);
    if (found !== undefined) return found.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const code = changed.has(file) ? compile(file, changed.get(file)) : compileUnchanged(file);
    const requireFrom = (name) => {
      if (name.startsWith('.')) return load(path.join(path.dirname(file), toSource(name)));
      const lib = /^@app\/([\w-]+)$/.exec(name)?.[1];
      return lib === undefined ? requireReal(name) : load(`${lib}/src/index.ts`);
    };
    new Function('require', 'module', 'exports', code)(requireFrom, module, module.exports);
    return module.exports;
  };
}

function replaceOnce(file, text, from, to) {
  const pieces = text.split(from);
  if (pieces.length === 2) return pieces.join(to);
  throw new Error(`${file} holds ${pieces.length - 1} times, not once: ${from}`);
}

function replaceAfter(file, text, from, to, after) {
  const start = text.indexOf(after) + after.length;
  const at = text.indexOf(from, start);
  if (start < after.length || at < 0) throw new Error(`${file} lacks ${from} after ${after}`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

const toSource = (name) => name.replace(/\.js$/, '.ts');

function compileUnchanged(file) {
  const known = unchanged.get(file);
  if (known !== undefined) return known;
  const code = compile(file, readFileSync(path.join(libs, file), 'utf8'));
  unchanged.set(file, code);
  return code;
}

function compile(file, text) {
  return transformSync(text, {
    filename: file,
    swcrc: false,
    configFile: false,
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  }).code;
}
