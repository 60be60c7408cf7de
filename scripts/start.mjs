// npm start: installs and builds where needed, then runs one app under Node 24 until it ends.
// Usage: node scripts/start.mjs <api|fetcher|tech-scan|standalone> [flags for the app]
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {
  ensureBuilt,
  ensureInstalled,
  nodeBinary,
  root,
  runMain,
  StartProblem,
} from './bootstrap.mjs';
import { watchNpm } from './watch-npm.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** The terminal and npm both tell us of one Ctrl-C; what comes later is the user asking again. */
const echoMs = 1_500;
/** Longer than any app takes to drain; only a hung one gets this far. */
const lastResortMs = 120_000;

runMain(async () => {
  const [app, ...flags] = process.argv.slice(2);
  assertApp(app);
  await ensureInstalled({ dev: false });
  await ensureBuilt();
  return supervise(startApp(app, flags));
});

function assertApp(app) {
  const apps = readdirSync(path.join(root, 'apps'));
  if (!apps.includes(app)) throw new StartProblem(`which app? one of: ${apps.join(', ')}`);
}

/**
 * A session of its own keeps the terminal's Ctrl-C from reaching the app twice. The channel tells it when we are gone,
 * even by SIGKILL: it gets 'disconnect' and ends itself.
 */
function startApp(app, flags) {
  const entry = path.join(root, 'dist/apps', app, 'src/main.js');
  if (!existsSync(entry)) throw new StartProblem(`${path.relative(root, entry)} was not built`);
  return spawn(nodeBinary(), [...nodeFlags(), entry, ...flags], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

/** Those of every app, in images and tests too; why is in docs/performance.md, Memory. */
function nodeFlags() {
  return JSON.parse(readFileSync(path.join(root, 'scripts/node-flags.json'), 'utf8'));
}

function supervise(child) {
  let lastPassedMs = 0;
  const pass = (signal) => {
    if (Date.now() - lastPassedMs < echoMs) return;
    if (lastPassedMs === 0) setTimeout(() => child.kill('SIGKILL'), lastResortMs).unref();
    lastPassedMs = Date.now();
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, () => pass(signal));
  const endWatch = watchNpm(() => pass('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      endWatch();
      if (child.connected) child.disconnect();
      resolve(code ?? 128 + os.constants.signals[signal]);
    });
  });
}
