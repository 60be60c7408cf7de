// The real servers for tests and development. Each is found in this order: an address in the environment,
// Docker, an installed program, a package or build that is installed now.
import { root, say, StartProblem } from '../bootstrap.mjs';
import { withCloneLock } from '../clone-lock.mjs';
import { isSame } from '../processes.mjs';
import { chartTools } from './chart-tools.mjs';
import { chromium } from './chromium.mjs';
import { hasDocker, inDocker } from './docker.mjs';
import { kubePrograms } from './kube-programs.mjs';
import { minio } from './minio.mjs';
import { postgres } from './postgres.mjs';
import { rabbitmq } from './rabbitmq.mjs';
import { readState, saveState } from './scratch.mjs';

const services = {
  postgres,
  rabbitmq,
  minio,
  chromium,
  'chart-tools': chartTools,
  'kube-programs': kubePrograms,
};
export const allServiceNames = Object.keys(services);
/** Those that every test run needs; the others are started by their name. */
export const serviceNames = allServiceNames.filter((name) => !services[name].isOnDemand);

/**
 * Starts those that do not run yet, one after the other: parallel boots would only slow each other down. With
 * `owner` (a process identity) they belong to that process: `stopOwned` ends them, and a test run takes over
 * those whose owner is dead. Started again without an owner, they run until `stopServices`.
 * @returns names of those that this call started; the others ran before or are set in the environment
 */
export async function startServices(names = serviceNames, { owner } = {}) {
  const started = [];
  for (const name of names) if (await startService(name, { owner })) started.push(name);
  return started;
}

/** Starts one on its previous address; false if it runs already or was not started here. */
export function startService(name, { owner } = {}) {
  const service = find(name);
  if (givenAddress(service)) return false;
  return withCloneLock(root, `service-${name}`, async () => {
    const previous = readState()[name];
    if (previous?.isUp && (await variant(service, previous).isHealthy(previous))) {
      if (previous.owner && !isSame(previous.owner)) saveState(name, { ...previous, owner });
      return false;
    }
    const chosen = variant(service, previous);
    if (previous?.isUp) await chosen.stop(previous);
    const startedAt = Date.now();
    const state = await chosen.start({ log: say, previous });
    saveState(name, { ...state, isUp: true, owner: owner ?? liveOwner(previous) });
    if (!service.isProgram)
      say(`${name} is up after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    return true;
  });
}

/** Ends them in an orderly way. The data is kept for the next start, except in Docker, or with `forget`. */
export async function stopServices(names = serviceNames, { forget = false } = {}) {
  for (const name of [...names].reverse()) {
    const service = find(name);
    const state = readState()[name];
    if (!state?.isUp) continue;
    const chosen = variant(service, state);
    await chosen.stop(state);
    if (forget) await chosen.wipe?.(state);
    saveState(name, forget || chosen.forgetsOnStop ? undefined : { ...state, isUp: false });
    if (!service.isProgram) say(`${name} stopped`);
  }
}

/** Ends those that `startServices` started with that owner. */
export async function stopOwned(ownerPid) {
  const state = readState();
  const names = allServiceNames.filter(
    (name) => state[name]?.isUp && state[name].owner?.pid === ownerPid,
  );
  await stopServices(names, { forget: true });
}

/** The variable that names the server to tests, also set to use one of your own. */
export function variableOf(name) {
  return find(name).given;
}

export async function restartService(name) {
  await stopServices([name]);
  return startService(name);
}

/** kill -9. `startService` restarts it on the same address. */
export async function killService(name) {
  const { service, state } = ours(name);
  await service.kill(state);
  saveState(name, { ...state, isUp: false });
}

/** kill -9, its data deleted, and started again on the same address: a lost disk. */
export async function wipeService(name) {
  const { service, state } = ours(name);
  if (state.isUp) await service.kill(state);
  await service.wipe(state);
  saveState(name, { ...state, isUp: false });
  await startService(name);
}

/**
 * State of each: `given` (set in the environment), `up`, `broken` (it should run and does not respond) or
 * `down`.
 */
export async function statusServices(names = serviceNames) {
  const rows = [];
  for (const name of names) rows.push(await statusOf(name));
  return rows;
}

/** The variables with the addresses for tests. */
export function servicesEnv(names = serviceNames) {
  const variables = names.map((name) => {
    const service = find(name);
    const given = givenAddress(service);
    const state = readState()[name];
    if (given) return { [service.given]: given };
    return state?.isUp ? service.env(state) : {};
  });
  return Object.assign({}, ...variables);
}

async function statusOf(name) {
  const service = find(name);
  const state = readState()[name];
  const given = givenAddress(service);
  if (given) return { name, status: 'given', url: given };
  if (!state?.isUp) return { name, status: 'down' };
  const status = (await variant(service, state).isHealthy(state)) ? 'up' : 'broken';
  return { name, status, url: state.url, pid: state.process?.pid, log: state.log };
}

/** A server set in the environment; `env` prints the same variables for those started here. */
function givenAddress({ name, given }) {
  const address = process.env[given];
  return address && address !== readState()[name]?.url ? address : undefined;
}

/** A fault test that kills and restarts a server must not take it from the run that owns it. */
function liveOwner(state) {
  return isSame(state?.owner) ? state.owner : undefined;
}

/** Keeps the way it was started, even if Docker was started or stopped meanwhile. */
function variant(service, state) {
  const wantsDocker = service.image && (state ? Boolean(state.container) : hasDocker());
  return wantsDocker ? inDocker(service) : service;
}

function find(name) {
  const service = services[name];
  if (!service)
    throw new StartProblem(`no service "${name}"; there are ${allServiceNames.join(', ')}`);
  return service;
}

function ours(name) {
  const service = find(name);
  if (givenAddress(service)) {
    throw new StartProblem(
      `${name} is set by ${service.given}: only a server that was started here can be killed`,
    );
  }
  const state = readState()[name];
  if (!state || service.isProgram) throw new StartProblem(`${name} was not started here`);
  return { service: variant(service, state), state };
}
