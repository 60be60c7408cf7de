// npm start: installs and builds if needed, then runs one app under Node 24 until it ends.
// Usage: node scripts/start.mjs <api|fetcher|tech-scan|standalone> [--help | flags for the app]
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { chromiumEnv, ensureChromium, findChromium, isWanted } from './chromium.mjs';
import {
  ensureBuilt,
  ensureInstalled,
  nodeBinary,
  root,
  runMain,
  StartProblem,
} from './bootstrap.mjs';
import { helpText, isHelp, unknownFlag } from './help-text.mjs';
import { supervise } from './supervise.mjs';
import { watchNpm } from './watch-npm.mjs';

/** Compiled code of the modules: a fifth less CPU for a later start. A new build drops it. */
const compileCache = path.join(root, 'dist/.compile-cache');

runMain(async () => {
  const [app, ...flags] = process.argv.slice(2);
  assertApp(app);
  if (isHelp(flags)) return console.log(helpText(app));
  assertFlags(app, flags);
  const installed = ensureInstalled({ dev: false });
  const built = installed.then(() => ensureBuilt());
  const [chromium] = await Promise.all([chromiumFor(app, flags, installed), built]);
  // A container or a service manager restarts the others; this one has no other supervisor.
  const restarts = app === 'standalone' && flags.length === 0;
  return supervise(() => startApp(app, flags, chromium), { restarts, watchNpm });
});

function assertApp(app) {
  const apps = readdirSync(path.join(root, 'apps'));
  if (!apps.includes(app)) throw new StartProblem(`which app? one of: ${apps.join(', ')}`);
}

/** The doctor reports a missing browser; a start gets one. */
async function chromiumFor(app, flags, installed) {
  if (!['standalone', 'fetcher'].includes(app) || !isWanted()) return undefined;
  return flags.length === 0 ? ensureChromium({ installed }) : findChromium();
}

/** Before anything is installed: an ignored flag would look as if it worked. */
function assertFlags(app, flags) {
  const unknown = unknownFlag(app, flags);
  if (unknown === undefined) return;
  throw new StartProblem(
    `unknown argument: ${unknown}. Settings are environment variables, e.g. PORT=8080 npm start; npm start -- --help lists them`,
  );
}

/**
 * A separate session keeps the terminal's Ctrl-C from reaching the app twice. The channel notifies the app when
 * this process is gone, even by SIGKILL: it gets 'disconnect' and ends itself.
 */
function startApp(app, flags, chromium) {
  const entry = path.join(root, 'dist/apps', app, 'src/main.js');
  if (!existsSync(entry)) throw new StartProblem(`${path.relative(root, entry)} was not built`);
  return spawn(nodeBinary(), [...nodeFlags(), entry, ...flags], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...chromiumEnv(chromium) },
  });
}

/** Flags of every app, in images and tests too; for the reason see docs/performance.md, Memory flags. */
function nodeFlags() {
  return JSON.parse(readFileSync(path.join(root, 'scripts/node-flags.json'), 'utf8'));
}
