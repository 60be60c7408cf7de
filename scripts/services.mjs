// Real servers for tests and development.
// Usage: npm run services -- <start|stop|restart|status|env|kill|wipe> [name …] [--only a,b]
import { spawn } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

import {
  ensureBuilt,
  ensureInstalled,
  isUnderServiceNode,
  nodeBinary,
  passSignalsTo,
  runMain,
  StartProblem,
} from './bootstrap.mjs';

const usage = `usage: npm run services -- <command> [name …]
  start     starts those that do not run yet (postgres, rabbitmq, minio, chromium, chart-tools; by name: kube-programs)
  stop      ends them and keeps their data
  restart   stop, then start
  status    one line each
  env       prints "export TEST_DATABASE_URL=…" lines for the shell
  kill      kill -9 of the named ones
  wipe      kill -9 of the named ones, their data deleted, started again`;

runMain(async () => {
  await ensureInstalled({ dev: true });
  await ensureBuilt();
  if (!isUnderServiceNode()) return underServiceNode();
  return run(process.argv.slice(2));
});

/** The test servers' clients need the newer Node. */
function underServiceNode() {
  const child = spawn(nodeBinary(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  passSignalsTo(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  });
}

async function run([command, ...rest]) {
  const services = await import('./services/index.mjs');
  if (command === 'stop-owned') return services.stopOwned(Number(rest[0])); // by the watchdog of a test run
  const named = parseNames(rest, services.allServiceNames);
  const names = named.length ? named : services.serviceNames;
  const commands = {
    start: () => services.startServices(names),
    stop: () => services.stopServices(names),
    restart: () => forEach(names, services.restartService),
    status: async () => (await services.statusServices(names)).forEach(printStatus),
    env: () => printEnv(services.servicesEnv(names)),
    kill: () => forEach(needNames(named), services.killService),
    wipe: () => forEach(needNames(named), services.wipeService),
  };
  if (!Object.hasOwn(commands, command ?? '')) throw new StartProblem(usage);
  await commands[command]();
  process.exit(0); // the servers are child processes, and continue without this one
}

function parseNames(words, known) {
  const names = words
    .filter((word) => word !== '--only')
    .flatMap((word) => word.replace(/^--only=/, '').split(','))
    .filter(Boolean);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length)
    throw new StartProblem(`no service "${unknown.join('", "')}"; there are ${known.join(', ')}`);
  return names;
}

function needNames(names) {
  if (!names.length) throw new StartProblem('name the servers: nothing is killed by default');
  return names;
}

async function forEach(names, action) {
  for (const name of names) await action(name);
}

function printStatus({ name, status, url = '', pid, log }) {
  const shown = url.replace(/(\/\/[^:@/]+):[^@/]+@/, '$1:***@');
  console.log(
    `${name.padEnd(9)} ${status.padEnd(6)} ${shown}${pid ? `  pid ${pid}` : ''}${log ? `  log ${log}` : ''}`,
  );
}

function printEnv(variables) {
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`);
}
