// Puts the faults of test/seeded-faults.json into the product, one at a time, in a clone below the temp folder, and
// reports which of them the specs notice. Results are kept for each commit in .cache/seeded-faults.json: a run that was
// stopped goes on, and two commits can be compared. Uncommitted changes of the product are not in the clone.
// The servers of the tests stay up: npm run services -- stop.
// Usage: npm run test:seeded-faults -- [--only id,…] [--commit sha] [--stages unit,int] [--specs pattern] [--all] [--list]
// --specs: one more stage, the specs with that pattern in their path. --all: a last stage, npm test. --list: the results.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import * as bootstrap from './bootstrap.mjs';

const { nodeBinary, root, runStep, say, StartProblem } = bootstrap;
const faults = JSON.parse(fs.readFileSync(path.join(root, 'test/seeded-faults.json'), 'utf8'));
const resultsFile = path.join(root, '.cache/seeded-faults.json');
/** A fault may make a spec wait for ever. */
const STAGE_MS = 60 * 60_000;

/**
 * Specs by their distance from the fault; the first failure ends the search. `near`: the library or app of the file, and
 * the folders in the fault's `specs`; the other words there are names of end-to-end specs.
 */
const stages = {
  folder: ({ folder }) => `/${folder}/[^/]*\\.spec\\.ts$`,
  unit: ({ folder, near }) => `^(?!.*/${folder}/[^/]*$).*/(?:${near})/.*\\.spec\\.ts$`,
  int: ({ near }) => `/(?:${near})/.*\\.int-spec\\.ts$`,
  e2e: ({ flows }) => `/(?:${flows || '$^'})\\.e2e-spec\\.ts$`,
  full: ({ flows }) => `/(?:${flows || '$^'})\\.full-spec\\.ts$`,
  /** Many more than the others. */
  far: ({ near }) => `^(?!.*/(?:${near})/).*\\.(?:int-)?spec\\.ts$`,
};

bootstrap.runMain(async () => {
  await bootstrap.ensureInstalled({ dev: true });
  await bootstrap.ensureBuilt(); // the servers of the tests need dist/
  const args = process.argv.slice(2);
  if (!bootstrap.isUnderServiceNode()) {
    const again = [fileURLToPath(import.meta.url), ...args];
    return (await runStep(nodeBinary(), again, { stdio: 'inherit' })).code;
  }
  const options = readOptions(args);
  const results = fs.existsSync(resultsFile)
    ? JSON.parse(fs.readFileSync(resultsFile, 'utf8'))
    : {};
  const known = (results[options.commit] ??= { faults: {}, broken: [] });
  const save = () => {
    fs.mkdirSync(path.dirname(resultsFile), { recursive: true });
    fs.writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  };
  if (!options.list) await runFaults(options, known, save);
  return report(options, known);
});

function readOptions(args) {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const options = { only: text, commit: text, stages: text, specs: text, all: flag, list: flag };
  const { values } = parseArgs({ args, options });
  const names = values.stages?.split(',') ?? ['folder', 'unit', 'int', 'e2e', 'full'];
  const unknown = names.find((name) => !Object.hasOwn(stages, name));
  if (unknown !== undefined)
    throw new StartProblem(`no stage "${unknown}"; there are ${Object.keys(stages).join(', ')}`);
  if (values.specs !== undefined) names.push(`specs ${values.specs}`);
  if (values.all) names.push('all');
  const ids = values.only?.split(',');
  const chosen = faults.filter(({ id }) => !ids || ids.includes(id));
  if (ids && chosen.length !== ids.length)
    throw new StartProblem('--only names a fault that is not there; --list shows all');
  const commit = git('rev-parse', '--verify', `${values.commit ?? 'HEAD'}^{commit}`);
  return { list: values.list, stages: names, chosen, commit };
}

function git(...args) {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
}

async function runFaults({ commit, chosen, stages: names }, known, save) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trawl-seeded-faults-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const clone = path.join(folder, 'clone');
  const services = await import('./services/index.mjs');
  await makeClone(clone, commit);
  for (const fault of chosen) {
    const result = (known.faults[fault.id] ??= { state: 'survived', stages: [] });
    const left = names.filter((name) => !result.stages.includes(name));
    if (result.state === 'caught' || left.length === 0) continue;
    await tryFault(fault, { clone, services, left, known, result });
    save();
    say(`${fault.id}: ${textOf(result)}`);
  }
}

async function makeClone(clone, commit) {
  git('clone', '-q', '--shared', '--no-checkout', root, clone);
  git('-C', clone, 'checkout', '-q', '--detach', commit);
  const lock = (folder) => fs.readFileSync(path.join(folder, 'package-lock.json'));
  if (lock(root).equals(lock(clone)))
    return fs.symlinkSync(`${root}/node_modules`, `${clone}/node_modules`, 'dir');
  const install = "await (await import('./scripts/bootstrap.mjs')).ensureInstalled({ dev: true })";
  const { code, output } = await runIn(clone, ['--input-type=module', '-e', install]);
  if (code !== 0) throw new StartProblem(`packages of ${commit} are not installed: ${output}`);
}

async function tryFault(fault, { left, result, ...context }) {
  const file = path.join(context.clone, fault.file);
  const original = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const parts = original.split(fault.find);
  if (parts.length !== 2) return Object.assign(result, { state: 'absent' });
  try {
    for (const stage of left) {
      const failure = await failureOf(stage, fault, context);
      if (failure) return Object.assign(result, { state: 'caught', stage, test: failure.test });
      result.stages.push(stage);
    }
  } finally {
    fs.writeFileSync(file, original);
  }

  /** A spec that fails without the fault as well has noticed nothing: it is left out from then on. */
  async function failureOf(stage, ...rest) {
    for (;;) {
      fs.writeFileSync(file, parts.join(fault.replace));
      const failure = await runStage(stage, ...rest);
      if (!failure?.spec) return failure;
      fs.writeFileSync(file, original);
      const { spec } = failure;
      const alone = { regex: `/${spec}$`, needsServers: !spec.endsWith('.spec.ts') };
      if (!(await runJest(alone, ...rest))) return failure;
      context.known.broken.push(spec);
    }
  }
}

/** The first failure; undefined if there is none, or no such spec. */
async function runStage(stage, fault, context) {
  if (stage === 'all') {
    const { code, output } = await runIn(context.clone, ['scripts/test.mjs']);
    return code === 0 ? undefined : { test: output.trimEnd().split('\n').at(-1) };
  }
  const folder = path.dirname(fault.file);
  const [places, flows] = [true, false].map((isPlace) =>
    (fault.specs ?? []).filter((word) => word.includes('/') === isPlace),
  );
  const near = [fault.file.split('/').slice(0, 2).join('/'), ...places].join('|');
  const [name, pattern] = stage.split(/ (.*)/s);
  if (pattern)
    return runJest({ regex: `${pattern}.*spec\\.ts$`, needsServers: true }, fault, context);
  const regex = stages[name]({ folder, near, flows: flows.join('|') });
  const needsServers = name !== 'folder' && name !== 'unit';
  const isRelated = name !== 'e2e' && name !== 'full';
  return runJest({ regex, needsServers, isRelated }, fault, context);
}

async function runJest({ regex, needsServers, isRelated }, fault, { clone, services, known }) {
  if (needsServers) {
    await services.startServices();
    await runIn(clone, ['scripts/build.mjs']); // specs start the apps from dist/
  }
  const outputFile = path.join(path.dirname(clone), 'results.json');
  fs.rmSync(outputFile, { force: true });
  const args = [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    ...['node_modules/jest/bin/jest.js', `--testRegex=${regex}`, '--passWithNoTests'],
    ...['--bail=1', '--runInBand', '--forceExit', '--json', `--outputFile=${outputFile}`],
    ...known.broken.map((spec) => `--testPathIgnorePatterns=/${spec}$`),
    ...(isRelated ? ['--findRelatedTests', fault.file] : []),
  ];
  const { code } = await runIn(clone, args, needsServers && services.servicesEnv());
  if (code === 0) return undefined;
  if (!fs.existsSync(outputFile)) return { test: `jest ended with ${code} and no results` };
  const { testResults } = JSON.parse(fs.readFileSync(outputFile, 'utf8'));
  const failed = testResults.find(({ status }) => status === 'failed');
  if (!failed) throw new StartProblem(`jest ended with ${code}, but no spec failed`);
  const { fullName } = failed.assertionResults.find(({ status }) => status === 'failed') ?? {};
  const spec = path.relative(clone, failed.name);
  return { spec, test: `${spec}: ${fullName ?? failed.message.trim().split('\n')[0]}` };
}

function runIn(cwd, args, env) {
  const all = { ...process.env, ...env, TRAWL_TEST_INNER: undefined };
  return runStep(nodeBinary(), args, { cwd, env: all, timeout: STAGE_MS });
}

function textOf({ state, stage, test, stages: done = [] } = {}) {
  if (state === 'caught') return `caught by ${stage}: ${test}`;
  if (state === 'absent') return 'absent: its text is not in this commit';
  return done.length > 0 ? `survived ${done.join(', ')}` : 'not tried';
}

function report({ chosen, list, commit }, known) {
  const texts = chosen.map(({ id, what }) => ({ id, what, text: textOf(known.faults[id]) }));
  const isState = (word) => texts.filter(({ text }) => text.startsWith(word));
  for (const { id, what, text } of list ? texts : isState('survived'))
    console.log(`${id}: ${what}\n  ${text}`);
  const states = ['caught', 'survived', 'absent', 'not tried'];
  const counts = states.map((state) => `${isState(state).length} ${state}`).join(', ');
  console.log(`${commit.slice(0, 8)}: ${counts} of ${chosen.length}`);
  return list || isState('survived').length === 0 ? 0 : 1;
}
