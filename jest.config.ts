import type { Config } from 'jest';

/** `npm run test:full` also runs the specs that take minutes, kill processes or watch the clock. */
const kinds = ['spec', 'int-spec', 'e2e-spec'];
if (process.env['TRAWL_TEST_FULL'] === 'yes') kinds.push('full-spec');

/** Sources become CommonJS by swc; ESM packages load through Node 24's require(esm). */
const config: Config = {
  rootDir: '.',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/bench', '<rootDir>/test'],
  testEnvironment: '<rootDir>/test/setup/shared-realm.mjs',
  resolver: '<rootDir>/test/setup/shared-packages.mjs',
  testSequencer: '<rootDir>/test/setup/longest-first.mjs',
  watchman: false,
  // What packages keep of the sources of former files, such as metadata of classes, goes with the worker.
  workerIdleMemoryLimit: '1.2GB',
  testRegex: `\\.(${kinds.join('|')})\\.ts$`,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: {
    '^@app/([\\w-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
          },
          keepClassNames: true,
        },
      },
    ],
  },
  // Timers only: the jest worker's own messages use nextTick and setImmediate of the same realm.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] },
  // For what hangs: on a machine that others keep busy a second of work takes many. Cases and hooks name only longer ones.
  testTimeout: 300_000,
};
export default config;
