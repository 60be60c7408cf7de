// Runs a program in a sealed network and judges what it reached.
//
//   node test/sealed-net/run.mjs [command...]        default: the probe of the egress library
//
// The command finds in its environment: SEALED_NET_REPORT, a file where it leaves a JSON list of
// {id, got, isRight}, one or more per posed case (see cases.mjs for urlOf and isRight);
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
  const env = { ...process.env, SEALED_NET_INSIDE: '1' };
  const args = [mode, process.execPath, self, ...command];
  return spawnSync('unshare', args, { stdio: 'inherit', env }).status ?? 1;
}

async function runInside(command) {
  const { start, SITE_MARK } = await import('./rig.mjs');
  const { allCases, posableCases } = await import('./cases.mjs');
  const rig = await start({ cases: posableCases });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sealed-net-'));
  const report = path.join(folder, 'report.json');
  const variables = { SEALED_NET_REPORT: report, SEALED_NET_SITE_MARK: SITE_MARK, ...rig.env };
  const [program, ...args] =
    command.length > 0 ? command : [process.execPath, path.join(path.dirname(self), 'probe.mjs')];
  const status = await runCommand(program, args, { ...process.env, ...variables });
  const hits = rig.canaryHits();
  await rig.stop();
  const results = status === 0 ? JSON.parse(readFileSync(report, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  return summarize(results, posableCases, allCases, hits);
}

function runCommand(program, args, env) {
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
    const wrong = own
      .filter((result) => !result.isRight)
      .map(({ got, resolver }) => ({ got, resolver }));
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
