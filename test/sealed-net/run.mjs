// Runs a program in a sealed network and judges what it reached.
//
//   node test/sealed-net/run.mjs                 the probe of the egress library
//   node test/sealed-net/run.mjs --service       the probe of the whole service, over HTTP
//   node test/sealed-net/run.mjs --browser       the probe of a real Chromium behind the filtering
//   proxy;
//                                                CHROMIUM_PATH chooses which
//   node test/sealed-net/run.mjs --browser --without PART
//                                                the same with a part of its protection left out;
//                                                it must fail: see browser-mutants.mjs
//   node test/sealed-net/run.mjs command...      another one, judged like the first
//   node test/sealed-net/run.mjs --check         only whether this machine permits it
//
// The command finds in its environment: SEALED_NET_REPORT, a file where it leaves a JSON list of
// {id, how, got, isRight}, one or more per covered case (see cases.mjs for urlOf and isRight);
// SEALED_NET_SITE_MARK, a text that every page of the fixture site holds; NODE_EXTRA_CA_CERTS.
// Prints one line of JSON. Exit code 0: all right; 1: not; 77: this machine forbids namespaces.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const isInside = process.env.SEALED_NET_INSIDE === '1';

/**
 * Network and mount namespaces of its own, which end with the process. Real root keeps its users,
 * so that programs started inside can drop to one; everyone else becomes root of a user namespace.
 */
const MODES = process.getuid?.() === 0 ? ['-nm', '-rnm'] : ['-rnm'];

function runOutside(command) {
  const isPermitted = (mode) =>
    spawnSync('unshare', [mode, 'ip', 'link', 'set', 'lo', 'up']).status === 0;
  const mode = MODES.find(isPermitted);
  if (mode === undefined) {
    console.error('skipped: this machine does not permit `unshare -rnm` or has no `ip` command');
    return 77;
  }
  if (command[0] === '--check') return 0;
  const user = `${process.getuid?.()}:${process.getgid?.()}`;
  const env = { ...process.env, SEALED_NET_INSIDE: '1', SEALED_NET_USER: user };
  const args = [mode, process.execPath, self, ...command];
  return spawnSync('unshare', args, { stdio: 'inherit', env }).status ?? 1;
}

async function runInside(args) {
  const { start, SITE_MARK } = await import('./fixture.mjs');
  const { allCases, networkCases } = await import('./cases.mjs');
  const { covered, fixtureOptions, command } = await whatToRun(args, networkCases);
  const fixture = await start({ cases: networkCases, ...fixtureOptions });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sealed-net-'));
  const report = path.join(folder, 'report.json');
  const variables = { SEALED_NET_REPORT: report, SEALED_NET_SITE_MARK: SITE_MARK, ...fixture.env };
  const status = await runCommand(asOwnUser(command), { ...process.env, ...variables });
  if (status !== 0) console.error(`the probe ended with exit code ${status}`);
  const hits = fixture.canaryHits();
  await fixture.stop();
  const results = status === 0 ? JSON.parse(readFileSync(report, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  return summarize(results, covered, allCases, hits);
}

/** The program to run, the cases it must cover, and the options of the network for them. */
async function whatToRun(args, networkCases) {
  switch (args[0]) {
    case undefined:
      return { covered: networkCases, command: probe('probe.mjs') };
    case '--service': {
      const { surfaceCases } = await import('./surfaces.mjs');
      return { covered: [...networkCases, ...surfaceCases], command: probe('api-probe.mjs') };
    }
    case '--browser': {
      const { browserPages, coveredByBrowser } = await import('./browser-cases.mjs');
      const { mutantNamed } = await import('./browser-mutants.mjs');
      const part = args[1] === '--without' ? args[2] : '';
      const { only } = mutantNamed(part);
      const covered = coveredByBrowser.filter(({ id }) => only === undefined || only.includes(id));
      const fixtureOptions = { pages: browserPages, mayAskSystem: false };
      const command = ['env', `SEALED_NET_WITHOUT=${part}`, ...probe('browser-probe.mjs')];
      return { covered, fixtureOptions, command };
    }
    default:
      return { covered: networkCases, command: args };
  }
}

function probe(name) {
  return [process.execPath, path.join(path.dirname(self), name)];
}

/**
 * A root of a user namespace goes on as the original user: PostgreSQL refuses to
 * run as root, and that namespace has no other user to drop to.
 */
function asOwnUser(command) {
  const [uid, gid] = process.env.SEALED_NET_USER.split(':');
  if (uid === '0') return command;
  return ['unshare', '-U', `--map-user=${uid}`, `--map-group=${gid}`, ...command];
}

function runCommand([program, ...args], env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function summarize(results, covered, all, hits) {
  const failed = [];
  for (const { id, expect, url } of covered) {
    const own = results.filter((result) => result.id === id);
    const wrong = own.filter((result) => !result.isRight).map(({ how, got }) => ({ how, got }));
    if (own.length === 0) failed.push({ id, expect, url, got: 'not covered' });
    else if (wrong.length > 0) failed.push({ id, expect, url, wrong });
  }
  const isListed = ({ id }) => all.some((one) => one.id === id);
  const listed = covered.filter(isListed).length;
  const passed = covered.length - failed.length;
  const canary = hits.length === 0 ? {} : { hits: [...new Set(hits)] };
  console.log(
    JSON.stringify({
      cases: listed,
      ownCases: covered.length - listed,
      passed,
      failed,
      canaryHits: hits.length,
      ...canary,
      notCovered: all.length - listed,
      notes: results.filter(({ how }) => how === 'note'),
    }),
  );
  return failed.length === 0 && hits.length === 0 ? 0 : 1;
}

process.exitCode = isInside
  ? await runInside(process.argv.slice(2))
  : runOutside(process.argv.slice(2));
