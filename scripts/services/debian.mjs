// Debian packages for tests: installed as root, without the start of a system service.
import { existsSync, rmSync, writeFileSync } from 'node:fs';

import { runStep, StartProblem, withHeartbeat } from '../bootstrap.mjs';
import { onPath } from './find-program.mjs';

const policyFile = '/usr/sbin/policy-rc.d';
const aptFlags = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
let isListFresh = false;

/** Installs the packages, or tells you how to do it. */
export async function installDebian(packages, log) {
  const names = packages.join(' ');
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    throw new StartProblem(
      `${names} must be installed: run \`sudo apt-get install ${names}\` (or the like on another system), ` +
        'start Docker, or name your own: TEST_BROKER_URL=amqp://…, TEST_STORAGE_URL=s3+http://KEY:SECRET@host/bucket',
    );
  }
  log(`installing Debian packages: ${names} …`);
  await withoutServiceStarts(async () => {
    if (!isListFresh) await apt(['update']);
    isListFresh = true;
    await apt(['install', '--no-install-recommends', ...packages]);
  });
}

/** Debian runs this file before it starts a service; 101 means "no". */
async function withoutServiceStarts(work) {
  const isOurs = !existsSync(policyFile);
  if (isOurs) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await work();
  } finally {
    if (isOurs) rmSync(policyFile, { force: true });
  }
}

async function apt(args) {
  const { code, output } = await withHeartbeat(`apt-get ${args[0]}`, () =>
    runStep('apt-get', [...aptFlags, ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  if (code === 0) return;
  const said = output.trim().split('\n').slice(-15).join('\n');
  throw new StartProblem(`apt-get ${args.join(' ')} failed:\n${said}`);
}
