// Runs a program in a sealed network and judges what it reached.
//
//   node test/sealed-net/run.mjs                 the probe of the egress library
//   node test/sealed-net/run.mjs --service       the probe of the whole service, over HTTP
//   node test/sealed-net/run.mjs command...      another one, judged like the first
//   node test/sealed-net/run.mjs --check         only whether this machine permits it
//
// The command finds in its environment: SEALED_NET_REPORT, a file where it leaves a JSON list of
// {id, how, got, isRight}, one or more per posed case (see cases.mjs for urlOf and isRight);
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
 * Network and mount namespaces of its own, which end with the process. Real root keeps its users, so
 * that programs started inside can drop to one; everyone else becomes root of a user namespace.
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
  const { start, SITE_MARK } = await import('./rig.mjs');
  const { allCases, posableCases } = await import('./cases.mjs');
  const { surfaceCases } = await import('./surfaces.mjs');
  const isService = args[0] === '--service';
  const posed = isService ? [...posableCases, ...surfaceCases] : posableCases;
  const rig = await start({ cases: posableCases });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sealed-net-'));
  const report = path.join(folder, 'report.json');
  const variables = { SEALED_NET_REPORT: report, SEALED_NET_SITE_MARK: SITE_MARK, ...rig.env };
  const command = isService ? probe('api-probe.mjs') : args.length > 0 ? args : probe('probe.mjs');
  const status = await runCommand(asOwnUser(command), { ...process.env, ...variables });
  if (status !== 0) console.error(`the probe ended with exit code ${status}`);
  const hits = rig.canaryHits();
  await rig.stop();
  const results = status === 0 ? JSON.parse(readFileSync(report, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  return summarize(results, posed, allCases, hits);
}

function probe(name) {
  return [process.execPath, path.join(path.dirname(self), name)];
}

/**
 * Whoever came in as root of a user namespace goes on as the user they were: PostgreSQL refuses to
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

function summarize(results, posed, all, hits) {
  const failed = [];
  for (const { id, expect, url } of posed) {
    const own = results.filter((result) => result.id === id);
    const wrong = own.filter((result) => !result.isRight).map(({ how, got }) => ({ how, got }));
    if (own.length === 0) failed.push({ id, expect, url, got: 'not posed' });
    else if (wrong.length > 0) failed.push({ id, expect, url, wrong });
  }
  const passed = posed.length - failed.length;
  const canary = hits.length === 0 ? {} : { hits: [...new Set(hits)] };
  console.log(
    JSON.stringify({
      cases: posed.length,
      passed,
      failed,
      canaryHits: hits.length,
      ...canary,
      notPosed: all.length - posed.length,
    }),
  );
  return failed.length === 0 && hits.length === 0 ? 0 : 1;
}

process.exitCode = isInside
  ? await runInside(process.argv.slice(2))
  : runOutside(process.argv.slice(2));
