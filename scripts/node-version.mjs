// Which Node runs the scripts, and which one everything after them.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { StartProblem } from './terminal.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const modules = path.join(root, 'node_modules');
const pinned = path.join(modules, 'node/bin/node');
const minNode = [20, 19];
/** The first 24 whose require() accepts ES modules in every place that needs it. */
const serviceNode = [24, 9];

/** The Node 24 for everything after the bootstrap: the one from npm, or this one if it is new enough. */
export function nodeBinary() {
  const answer = versionOf(pinned);
  if (answer.version && isServiceNode(answer.version)) return pinned;
  if (isServiceNode(process.versions.node)) return process.execPath;
  throw new StartProblem(nodeAdvice(answer.reason));
}

export function assertMinNode() {
  if (isAtLeast(process.versions.node, minNode)) return;
  throw new StartProblem(
    `this needs Node ${minNode.join('.')} or newer to begin with (found ${process.versions.node}); ` +
      'Node 24 is best: https://nodejs.org/en/download',
  );
}

export function isServiceNode(version) {
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

function nodeAdvice(reason) {
  return (
    `the pinned Node 24 (${path.relative(process.cwd(), pinned)}) does not run on ${process.platform}-${process.arch}: ` +
    `${reason}.\n        It needs glibc (Alpine's musl will not do) on x64 or arm64. Use a Node ${serviceNode.join('.')} or ` +
    'newer of your own to run this, or the images in docker/.'
  );
}

/** Whether npm brought the pinned Node 24 and it runs on this machine. */
export function runsPinnedNode() {
  return versionOf(pinned).version !== undefined;
}
