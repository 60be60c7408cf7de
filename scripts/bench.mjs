// npm run bench: our crawl beside crawlee's on the same site, with numbers. See bench/README.md.
// Usage: npm run bench -- [--suite rendered] [--only crawlee,trawl] [--rounds 3] [--pages 300] [--profile] …
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  ensureBuilt,
  ensureInstalled,
  isUnderServiceNode,
  nodeBinary,
  passSignalsTo,
  root,
  runMain,
} from './bootstrap.mjs';
import { chromiumEnv, ensureChromium } from './chromium.mjs';

const clusterServices = ['postgres', 'rabbitmq', 'minio'];

runMain(async () => {
  await ensureInstalled({ dev: true });
  await ensureBuilt();
  // The test servers' clients need the newer Node, so the rest runs under it.
  const script = fileURLToPath(import.meta.url);
  if (!isUnderServiceNode()) return run(nodeBinary(), [script]);
  // Trawl itself renders with it, and so does the rendered suite's peer.
  const browser = chromiumEnv(await ensureChromium());
  const bench = (services) => runBench({ ...services, ...browser });
  return needsCluster() ? withServices(bench) : bench({});
});

/** `--only crawlee` needs no servers, nor do the suites that run embedded or without a service. */
function needsCluster() {
  const text = process.argv.slice(2).join(' ');
  if (/--suite[= ](?:auth|growth|broker|graph|scale)\b/.test(text)) return true;
  if (/--suite[= ](?!crawl\b)/.test(text)) return false;
  const only = /--only[= ](\S+)/.exec(text)?.[1];
  return only === undefined || only.split(',').includes('trawl');
}

/** Servers started by this call are stopped again; those that ran before continue. */
async function withServices(work) {
  const services = await import('./services/index.mjs');
  const started = await services.startServices(clusterServices);
  try {
    return await work(services.servicesEnv(clusterServices));
  } finally {
    await services.stopServices(started);
  }
}

function runBench(env) {
  return run(nodeBinary(), [path.join(root, 'dist/bench/src/run.js')], env);
}

function run(program, args, env = {}) {
  const child = spawn(program, [...args, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const forget = passSignalsTo(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      forget();
      resolve(code ?? 128 + os.constants.signals[signal]);
    });
  });
}
