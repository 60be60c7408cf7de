// Programs built once from their Go module and kept outside the clone.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

import { runStep, StartProblem, withHeartbeat } from '../bootstrap.mjs';
import { installDebian } from './debian.mjs';
import { findProgram, programCache } from './find-program.mjs';

/** Go for builds, if the installed one is too old to download the one it needs by itself. */
const goToolchain = 'v0.0.1-go1.26.8';

/**
 * Path of the program of a Go module, built if this version is not there yet.
 * @param options.module package with its version: `github.com/minio/minio@v1.2.3`
 */
export function goProgram({ name, module, ldflags = '', log }) {
  const [, version] = module.split('@');
  return builtOnce({ name, version, log }, (go, draft) =>
    runGo(go, ['install', `-ldflags=-s -w ${ldflags}`, module], { GOBIN: draft }),
  );
}

/**
 * Path of a program built from a module of our own, as `goProgram`.
 * @param options.prepare makes the folder of the module: `{ folder, clean }`
 */
export function goBuild({ name, version, ldflags = '', prepare, log }) {
  return builtOnce({ name, version, log }, async (go, draft) => {
    const { folder, clean } = await prepare();
    try {
      const tidied = await runGo(go, ['mod', 'tidy', '-e'], {}, folder);
      if (tidied.code !== 0) return tidied;
      const output = path.join(draft, name);
      return await runGo(
        go,
        ['build', '-trimpath', `-ldflags=-s -w ${ldflags}`, '-o', output, '.'],
        {},
        folder,
      );
    } finally {
      clean();
    }
  });
}

async function builtOnce({ name, version, log }, build) {
  const folders = programCache();
  const file = `${name}-${version}`;
  const found = findProgram(folders.map((folder) => path.join(folder, file)));
  if (found) return found;
  const go = await goCommand(log);
  const folder = folders.find(isUsable);
  const draft = path.join(folder, `draft-${name}-${process.pid}`);
  log(`building ${name} from its Go module, once; this takes some minutes …`);
  const { code, output } = await withHeartbeat(`still building ${name}`, () => build(go, draft));
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new StartProblem(`${name} could not be built. Go said:\n${output.trim().slice(-1_500)}`);
  }
  const program = path.join(folder, file);
  renameSync(path.join(draft, name), program);
  rmSync(draft, { recursive: true, force: true });
  return program;
}

function runGo(go, args, env = {}, cwd = '/') {
  return runStep(go, args, {
    cwd,
    env: {
      ...process.env,
      GOFLAGS: '-buildvcs=false',
      CGO_ENABLED: '0',
      GOTOOLCHAIN: 'auto',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Folder with the sources of a Go module at a version: `k8s.io/kubernetes@v1.36.3`. */
export async function goModule(module, log) {
  const go = await goCommand(log);
  const answer = spawnSync(go, ['mod', 'download', '-json', module], {
    encoding: 'utf8',
    cwd: '/',
    env: { ...process.env, GOTOOLCHAIN: 'auto' },
  });
  const { Dir, Error: problem } = JSON.parse(answer.stdout || '{}');
  if (!Dir) throw new StartProblem(`cannot fetch ${module}: ${problem ?? answer.stderr}`);
  return Dir;
}

function isUsable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    return true;
  } catch {
    return false; // a read-only home: the next folder is in the temp folder
  }
}

/** Go 1.21 and later downloads the version that a module requests; an older one gets it as a Go module. */
async function goCommand(log) {
  const candidates = ['go', '/usr/local/go/bin/go'];
  if (!findProgram(candidates)) await installDebian(['golang-go', 'ca-certificates'], log);
  const go = findProgram(candidates);
  const answer = spawnSync(go, ['version'], { encoding: 'utf8' });
  const minor = Number(/go1\.(\d+)/.exec(answer.stdout)?.[1]);
  return minor >= 21 ? go : newerGo(go, log);
}

function newerGo(go, log) {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  const name = `golang.org/toolchain@${goToolchain}.${process.platform}-${arch}`;
  log(`this Go is too old; fetching ${name}`);
  const answer = spawnSync(go, ['mod', 'download', '-json', name], { encoding: 'utf8', cwd: '/' });
  if (answer.status !== 0)
    throw new StartProblem(`cannot fetch a newer Go: ${answer.stderr || answer.stdout}`);
  const dir = JSON.parse(answer.stdout).Dir;
  markRunnable(path.join(dir, 'bin'));
  markRunnable(path.join(dir, 'pkg/tool'));
  return path.join(dir, 'bin/go');
}

/** Modules are stored without execute permission, and read-only. */
function markRunnable(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) chmodSync(path.join(entry.parentPath ?? entry.path, entry.name), 0o755);
  }
}
