// npm run pack: tarballs of the client (@trawl/client) and of the command line (@trawl/cli, which contains the client).
// Usage: node scripts/pack.mjs [folder], by default packages/
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import {
  ensureBuilt,
  ensureInstalled,
  root,
  runMain,
  runStep,
  say,
  StartProblem,
} from './bootstrap.mjs';

const CLIENT = 'libs/client/src';
const CLI = 'apps/cli/src';
/** Packages that the command line imports; their versions are those of this repository. */
const CLI_DEPENDENCIES = ['commander', '@modelcontextprotocol/server', 'zod'];

runMain(async () => {
  await ensureInstalled({ dev: true });
  await ensureBuilt();
  const target = path.resolve(process.argv[2] ?? path.join(root, 'packages'));
  const work = path.join(target, '.work');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    for (const assemble of [assembleClient, assembleCli]) {
      const folder = await assemble(work);
      say(`packed ${await npmPack(folder, target)}`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return 0;
});

/** The compiled client with its types. */
async function assembleClient(work) {
  const folder = path.join(work, 'client');
  copyBuilt(CLIENT, folder);
  await emitTypes(folder);
  writePackage(folder, {
    ...described('client', 'Typed client of the Trawl API: scrape, crawl, extract'),
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    sideEffects: false,
  });
  cpSync(path.join(root, 'docs/client.md'), path.join(folder, 'README.md'));
  return folder;
}

/** The compiled command line beside the client that it imports by a relative path, as in dist/. */
async function assembleCli(work) {
  const folder = path.join(work, 'cli');
  for (const part of [CLI, CLIENT]) copyBuilt(part, path.join(folder, part));
  writePackage(folder, {
    ...described('cli', 'trawl: pages and sites as Markdown on the command line'),
    bin: { trawl: `./${CLI}/main.js` },
    dependencies: Object.fromEntries(CLI_DEPENDENCIES.map((name) => [name, versionOf(name)])),
  });
  cpSync(path.join(root, 'docs/cli.md'), path.join(folder, 'README.md'));
  return folder;
}

function described(name, description) {
  const { version, license, engines } = readJson('package.json');
  return { name: `@trawl/${name}`, version, description, license, type: 'module', engines };
}

/** Exact, as in package.json. */
function versionOf(name) {
  return readJson(`node_modules/${name}/package.json`).version;
}

/** Without source maps: their sources are not in the package. */
function copyBuilt(part, folder) {
  const from = path.join(root, 'dist', part);
  for (const name of readdirSync(from, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(path.join(from, name), 'utf8');
    const to = path.join(folder, name);
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, text.replace(/\n\/\/# sourceMappingURL=\S+\n$/, '\n'), {
      mode: text.startsWith('#!') ? 0o755 : 0o644,
    });
  }
}

async function emitTypes(folder) {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict'];
  const language = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  const args = [tsc, ...options, ...language, '--skipLibCheck', '--outDir', folder];
  await step(process.execPath, [...args, path.join(root, CLIENT, 'index.ts')], root);
}

function writePackage(folder, description) {
  writeFileSync(
    path.join(folder, 'package.json'),
    `${JSON.stringify(description, undefined, 2)}\n`,
  );
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
}

async function npmPack(folder, target) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const output = await step(npm, ['pack', '--silent', '--pack-destination', target], folder);
  return path.join(target, output.trim().split('\n').at(-1) ?? '');
}

async function step(program, args, cwd) {
  const { code, output } = await runStep(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  if (code !== 0) throw new StartProblem(`${path.basename(args[0])} failed:\n${output}`);
  return output;
}

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}
