// npm test: a complete test run, from a fresh clone to the last line "N passed, N failed".
// Usage: node scripts/test.mjs [--full | --suite growth|serial|faults|soak|kube] [--budget] [arguments for jest]
// --full: both modes, growth of cost with size, the tests that kill servers; `--shard=1/3` runs a part of it.
// --budget: a file or a case that takes longer than it may fails.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import {
  ensureBuilt,
  ensureInstalled,
  isUnderServiceNode,
  nodeBinary,
  root,
  runMain,
  say,
  StartProblem,
} from './bootstrap.mjs';
import { identify } from './processes.mjs';
import { watchNpm } from './watch-npm.mjs';

/**
 * Suites that `npm test` leaves out, by the ends of their files' names. One file after the other: `growth` measures CPU,
 * `serial` the shares of a machine, `faults` kills servers, `kube` tries the chart on a real control plane.
 */
const SUITES = ['growth', 'serial', 'faults', 'soak', 'kube'];
const kubeServices = ['chart-tools', 'kube-programs'];
/** Memory for each worker: a test may run a service, its browser and a site to scrape. */
const WORKER_BYTES = 2 * 1024 ** 3;
/** Workers per core where tests wait for servers, browsers and sites a third of their time. */
const WAITING_WORKERS = 1.5;
const SLOWEST_SHOWN = 10;
/**
 * What `npm test` may take on a quiet machine with two cores; more is for the full run. It is always named; it fails only
 * with `--budget`, for on a busy machine everything takes longer.
 */
const BUDGET_SECONDS = { file: 20, case: 5 };
/** Compile cache of modules: tests start hundreds of processes that load the same ones. */
const compileCache = path.join(root, 'node_modules/.cache/node-compile');
const nodeFlags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const interrupted = new AbortController();
const holdsBudget = process.argv.includes('--budget');

runMain(async () => {
  const isInner = process.env.TRAWL_TEST_INNER === 'yes';
  try {
    if (!isInner) await ensureInstalled({ dev: true });
    if (!isInner) await ensureBuilt();
    if (!isUnderServiceNode()) return await underServiceNode();
    return await runTests(process.argv.slice(2).filter((arg) => arg !== '--budget'));
  } catch (error) {
    console.error(error instanceof StartProblem ? `[trawl] ${error.message}` : error);
    return conclude({ passed: 0, failed: 1 });
  }
});

/**
 * The test servers' clients need the newer Node. The inner one handles signals; this one only waits for it.
 */
function underServiceNode() {
  const child = spawn(nodeBinary(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TRAWL_TEST_INNER: 'yes' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  watchNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  });
}

async function runTests(args) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => interrupted.abort(signal));
  watchNpm(() => interrupted.abort('npm is gone'));
  const phases = jestPhases(args);
  const services = await import('./services/index.mjs');
  const endWatchdog = watchFor(process.pid);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'trawl-jest-'));
  try {
    const names = suiteOf(args) === 'kube' ? kubeServices : services.serviceNames;
    const started = services.startServices(names, { owner: identify(process.pid) });
    started.catch(() => {}); // awaited below, after the phases that need no server
    const total = { passed: 0, failed: 0, files: 0 };
    const add = ({ passed, failed, files = passed + failed }) => {
      total.passed += passed;
      total.failed += failed;
      total.files += files;
    };
    let beside;
    for (const [at, { needsServers, jestArgs, ...phase }] of phases.entries()) {
      if (needsServers) await started;
      interrupted.signal.throwIfAborted();
      if (phase.beside) beside = runBeside(phase.beside);
      if (phase.isAlone) add(await beside);
      const outputFile = path.join(folder, `results-${at}.json`);
      const env = needsServers ? services.servicesEnv(names) : {};
      const code = await runJest([...jestArgs, '--json', `--outputFile=${outputFile}`], env);
      add(count(outputFile, code, args));
    }
    await started;
    if (total.files > 0 || args.includes('--passWithNoTests')) return conclude(total);
    say('no test file matches');
    return conclude({ passed: 0, failed: 1 });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    return conclude({ passed: 0, failed: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await services.stopOwned(process.pid);
    endWatchdog();
  }
}

function suiteOf(args) {
  const at = args.indexOf('--suite');
  return at < 0 ? undefined : (args[at + 1] ?? '');
}

/**
 * Runs of jest, one after the other: unit tests while the servers start (on a new machine they are installed and
 * built), then the others; in a full run what needs the machine for itself comes last.
 */
function jestPhases(args) {
  if (args[0] === '--full') return fullPhases(args.slice(1));
  const suite = suiteOf(args);
  if (suite === undefined) return commonPhases(args);
  if (!SUITES.includes(suite))
    throw new StartProblem(`no suite "${suite}"; there are ${SUITES.join(', ')}`);
  return [suitePhase(suite, args.toSpliced(args.indexOf('--suite'), 2))];
}

function suitePhase(suite, rest) {
  const files = `--testRegex=\\.${suite}(-spec)?\\.ts$`;
  return { needsServers: true, jestArgs: [files, '--runInBand', ...rest] };
}

function fullPhases(rest) {
  process.env.TRAWL_TEST_FULL = 'yes';
  const [units, specs] = commonPhases(rest);
  const some = ['--passWithNoTests', ...rest]; // a shard may have none of a phase
  // Fault tests mostly wait and growth tests use one core, so they run in parallel, each with its own servers.
  const growth = { ...suitePhase('growth', some), beside: ['--suite', 'faults', ...some] };
  return [units, specs, growth, { ...suitePhase('serial', some), isAlone: true }];
}

/** A pattern may match files of one of the two alone. */
function commonPhases(args) {
  const common = ['--passWithNoTests', ...args];
  const kinds = isFull() ? '(int|e2e|full)' : '(int|e2e)';
  return [
    {
      needsServers: false,
      jestArgs: ['--testRegex=\\.spec\\.ts$', ...workersFor(args, 1), ...common],
    },
    {
      needsServers: true,
      jestArgs: [
        `--testRegex=\\.${kinds}-spec\\.ts$`,
        ...workersFor(args, WAITING_WORKERS),
        ...common,
      ],
    },
  ];
}

function isFull() {
  return process.env.TRAWL_TEST_FULL === 'yes';
}

/** So many workers per core, fewer if memory is short, or the number in the arguments. */
function workersFor(args, perCore) {
  if (args.some((arg) => /^(-w|-i|--maxWorkers|--runInBand)/.test(arg))) return [];
  const memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity);
  const wanted = Math.ceil(os.availableParallelism() * perCore);
  const count = Math.min(wanted, Math.floor(memory / WORKER_BYTES));
  return [`--maxWorkers=${Math.max(1, count)}`];
}

function runJest(args, env) {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [...nodeFlags, jest, ...args], {
    cwd: root,
    env: { ...process.env, ...env, NODE_COMPILE_CACHE: compileCache, TRAWL_TEST_INNER: undefined },
    stdio: ['inherit', 'ignore', 'inherit'], // jest's report goes to stderr; stdout would repeat the JSON
  });
  interrupted.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}

/** Runs this script in parallel, against its own servers. @returns the numbers of its last line */
async function runBeside(args) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TRAWL_TEST_SERVERS: 'beside' },
  });
  interrupted.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(await text(child.stdout)) ?? [];
  if (failed === undefined) say(`${args.join(' ')} ended without results`);
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
}

/** Anything that did not pass is a failure: a suite that did not load, a skipped test, a run without tests. */
function count(outputFile, code, args) {
  if (!existsSync(outputFile)) {
    say(`jest ended (${code}) without results`);
    return { passed: 0, failed: 1, files: 0 };
  }
  const results = JSON.parse(readFileSync(outputFile, 'utf8'));
  const broken = results.testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
  });
  for (const { name } of broken) say(`failed to run: ${path.relative(root, name)}`);
  saySlowest(results.testResults);
  const late = isFull() ? [] : overBudget(results.testResults);
  for (const line of late) say(line);
  const skipped = isNarrowed(args) ? [] : results.testResults.flatMap(skippedTests);
  for (const name of skipped) say(`skipped, which counts as failed: ${name}`);
  const counted = holdsBudget ? late.length : 0;
  const failed = results.numFailedTests + broken.length + skipped.length + counted;
  const isUnexplained = code !== 0 && failed === 0;
  if (isUnexplained) say(`jest ended with ${code} although no test failed`);
  const files = results.testResults.length;
  return { passed: results.numPassedTests, failed: isUnexplained ? 1 : failed, files };
}

const secondsOf = ({ startTime, endTime }) => (endTime - startTime) / 1_000;

function saySlowest(files) {
  const slowest = files.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  for (const file of slowest.slice(0, SLOWEST_SHOWN))
    say(`${secondsOf(file).toFixed(1)} s ${path.relative(root, file.name)}`);
}

function overBudget(files) {
  return files.flatMap((file) => {
    const name = path.relative(root, file.name);
    const slow = file.assertionResults.filter(
      ({ duration }) => duration > 1_000 * BUDGET_SECONDS.case,
    );
    const cases = slow.map(
      ({ duration, fullName }) => `${(duration / 1_000).toFixed(1)} s for ${name}: ${fullName}`,
    );
    const isLong = secondsOf(file) > BUDGET_SECONDS.file;
    const all = isLong ? [`${secondsOf(file).toFixed(1)} s for ${name}`, ...cases] : cases;
    return all.map((line) => `over the budget: ${line}`);
  });
}

/** With a name pattern jest reports every other test as skipped. */
function isNarrowed(args) {
  return args.some((arg) => /^(-t|--testNamePattern)/.test(arg));
}

function skippedTests({ name, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => `${path.relative(root, name)}: ${fullName}`);
}

/**
 * Waits in a separate session until this process is gone, even by SIGKILL, and then stops the servers it had
 * started.
 */
function watchFor(pid) {
  const script = 'while read -r _; do :; done; exec "$@"';
  const stop = [
    process.execPath,
    path.join(root, 'scripts/services.mjs'),
    'stop-owned',
    String(pid),
  ];
  const watchdog = spawn('/bin/sh', ['-c', script, 'test-watchdog', ...stop], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.on('error', (error) => say(`no watchdog: ${error.message}`));
  watchdog.unref();
  watchdog.stdin.unref();
  return () => watchdog.kill('SIGKILL');
}

function conclude({ passed, failed }) {
  process.once('exit', () => console.log(`${passed} passed, ${failed} failed`));
  return failed === 0 ? 0 : 1;
}
