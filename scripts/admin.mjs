// npm run admin: installs and builds if needed, then runs one operator command under Node 24.
// Usage: npm run admin -- help
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

import {
  ensureBuilt,
  ensureInstalled,
  nodeBinary,
  passSignalsTo,
  root,
  runMain,
} from './bootstrap.mjs';

runMain(async () => {
  await ensureInstalled({ dev: false });
  await ensureBuilt();
  const entry = path.join(root, 'dist/apps/standalone/src/admin.js');
  const args = [entry, ...process.argv.slice(2)];
  const child = spawn(nodeBinary(), args, { stdio: 'inherit' });
  const forget = passSignalsTo(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      forget();
      resolve(code ?? 128 + os.constants.signals[signal]);
    });
  });
});
