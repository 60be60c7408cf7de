// The same servers as containers, if a Docker engine runs. testcontainers creates them with its reaper off,
// because they must outlive this process; `stop` removes them.
import { spawnSync } from 'node:child_process';

import { StartProblem } from '../bootstrap.mjs';
import { becomesTrue, freePort } from '../processes.mjs';

let answer;

/** Checks the engine, not the client: a client without an engine is common. */
export function hasDocker() {
  answer ??= spawnSync('docker', ['info', '--format', '{{.ServerVersion}}'], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  return answer.status === 0 && /^\d/.test(answer.stdout);
}

/** The service, started and ended as a container. */
export function inDocker(service) {
  const { image } = service;
  return {
    ...service,
    start: ({ log, previous }) =>
      previous?.container ? again(image, previous) : create(service, log),
    isHealthy: async (state) => image.isReady(state.port),
    stop: async (state) => docker('rm', '--force', '--volumes', state.container),
    kill: async (state) => docker('kill', '--signal', 'KILL', state.container),
    wipe: async (state) => docker('rm', '--force', '--volumes', state.container),
    forgetsOnStop: true,
  };
}

/** A fixed port of the machine, so that a restarted container has the same address. */
async function create({ name, image }, log) {
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  const { GenericContainer } = await import('testcontainers');
  const secrets = image.secrets?.() ?? {};
  const port = await freePort();
  log(`starting ${image.name} in Docker`);
  const container = await new GenericContainer(image.name)
    .withEnvironment(typeof image.env === 'function' ? image.env(secrets) : image.env)
    .withExposedPorts({ container: image.port, host: port })
    .withLabels({ 'trawl.services': name })
    .withCommand(image.command ?? [])
    .start();
  await settle(image, port, secrets);
  return { container: container.getId(), port, secrets, url: image.url(port, secrets) };
}

async function again(image, previous) {
  if (spawnSync('docker', ['start', previous.container]).status !== 0)
    return create({ image, name: 'again' }, () => {});
  await settle(image, previous.port, previous.secrets);
  return previous;
}

async function settle(image, port, secrets) {
  if (!(await becomesTrue(() => image.isReady(port), 120_000, 250))) {
    throw new StartProblem(`${image.name} does not become ready on port ${port}`);
  }
  await image.prepare?.(port, secrets);
}

function docker(...args) {
  const done = spawnSync('docker', args, { encoding: 'utf8' });
  if (done.status !== 0) throw new StartProblem(`docker ${args[0]}: ${done.stderr.trim()}`);
}
