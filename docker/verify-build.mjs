// Runs the images' build steps without Docker: copies the files that the Dockerfile copies into an empty folder,
// installs and builds there, then starts each app far enough to prove that all its imports exist.
// Usage: node docker/verify-build.mjs   (needs the npm registry; takes about a minute)
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureInstalled, nodeBinary } from '../scripts/bootstrap.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dockerfile = readFileSync(path.join(root, 'docker/Dockerfile'), 'utf8');
const badSettingsExitCode = 78;

await ensureInstalled({ dev: true });
/** 24, as in the images. */
const node = nodeBinary();
const folder = mkdtempSync(path.join(os.tmpdir(), 'trawl-image-'));

try {
  for (const line of dockerfile.split('\n')) {
    if (/^COPY (?!--from)/.test(line)) copy(line.split(/\s+/).slice(1));
    if (/^RUN npm ci/.test(line)) shell(line.slice('RUN '.length).split('&&')[0]);
    if (/^RUN node /.test(line)) shell(line.slice('RUN '.length));
  }
  rmSync(path.join(folder, 'node_modules/@swc'), { recursive: true, force: true });
  for (const [, entry] of dockerfile.matchAll(/^CMD .*"(dist\/[^"]+)"\]$/gm))
    startsUpToItsSettings(entry);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A copy in the middle of the file sees only earlier copies, as in a layer. */
function copy(names) {
  const target = names.pop();
  for (const name of names) {
    const to =
      names.length > 1 || target === './'
        ? path.join(folder, target, name)
        : path.join(folder, target);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join(root, name), to, { recursive: true });
  }
}

function shell(command) {
  console.log(`$ ${command.trim()}`);
  const env = { ...process.env, PATH: `${path.dirname(node)}:${process.env.PATH}` };
  const { status } = spawnSync('/bin/sh', ['-c', command], { cwd: folder, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

/** An invalid setting is refused after every import has succeeded, and before anything is opened. */
function startsUpToItsSettings(entry) {
  const { status, stderr } = spawnSync(node, [entry], {
    cwd: folder,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'no-such-level' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== badSettingsExitCode) throw new Error(`${entry} ended with ${status}:\n${stderr}`);
  console.log(`ok ${entry}`);
}
