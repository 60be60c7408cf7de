// A jest environment: tests run in the realm of Node itself, as the service does, instead of one of their own. Only so
// can packages be loaded once per worker (shared-packages.mjs) and still share `Error`, `Map` and `Promise` with tests.
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import 'reflect-metadata';

/** Says to jest "the realm you are in", for which `node:vm` has no object. */
const OWN_REALM = Object.freeze({});

/** What the sources of this project were compiled to, by file: run anew for each spec file, compiled once per worker. */
const compiled = new Map();
/** `import()` belongs to the spec file that compiled it. */
const IMPORTS = /\bimport\s*\(/;

const compileFunction = vm.compileFunction;
vm.compileFunction = (code, parameters, options) => {
  if (options?.parsingContext !== OWN_REALM) return compileFunction(code, parameters, options);
  const known = compiled.get(options.filename);
  if (known?.code === code) return known.compiledFunction;
  const compiledFunction = compileFunction(code, parameters, {
    ...options,
    parsingContext: undefined,
  });
  if (!IMPORTS.test(code)) compiled.set(options.filename, { code, compiledFunction });
  return compiledFunction;
};

const require = createRequire(import.meta.url);
/** Globals that packages define when they are loaded, as pdfjs does: it is loaded once, so they stay. */
const packageGlobals = new Set();

/** For {@link file://./shared-packages.mjs}. */
globalThis.requireOnce = (file) => {
  const before = new Set(Reflect.ownKeys(globalThis));
  try {
    return require(file);
  } finally {
    for (const key of Reflect.ownKeys(globalThis)) if (!before.has(key)) packageGlobals.add(key);
  }
};

export default class SharedRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #keys = new Set(Reflect.ownKeys(globalThis));
  #kept = { console: globalThis.console, exit: process.exit };

  constructor({ projectConfig: config }) {
    const { global, moduleMocker } = this;
    const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  setup() {}

  /** What jest and the tests of a file have left in the realm is not there for the next file. */
  teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    for (const key of Reflect.ownKeys(globalThis))
      if (!this.#keys.has(key) && !packageGlobals.has(key)) Reflect.deleteProperty(globalThis, key);
    globalThis.console = this.#kept.console;
    process.exit = this.#kept.exit;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return OWN_REALM;
  }
}
