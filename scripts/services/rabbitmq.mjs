// RabbitMQ for tests: the packaged server as the calling user, with everything on loopback and in one folder.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { StartProblem } from '../bootstrap.mjs';
import {
  becomesTrue,
  freePort,
  identify,
  isSame,
  killProcess,
  spawnDetached,
  stopProcess,
} from '../processes.mjs';
import { installDebian } from './debian.mjs';
import { findProgram } from './find-program.mjs';
import { makeScratch } from './scratch.mjs';

const startWithinMs = 120_000;
/** Not /usr/sbin/rabbitmq-server: that one switches to the user rabbitmq. */
const candidates = [
  '/usr/lib/rabbitmq/bin/rabbitmq-server',
  '/opt/homebrew/opt/rabbitmq/sbin/rabbitmq-server',
];

export const rabbitmq = {
  name: 'rabbitmq',
  given: 'TEST_BROKER_URL',
  image: {
    name: 'rabbitmq:4.1',
    port: 5672,
    url: (port) => `amqp://guest:guest@127.0.0.1:${port}`,
    env: {},
    isReady: (port) => answersAmqp(port),
  },

  async start({ log, previous }) {
    const ports = previous?.ports ?? {
      amqp: await freePort(),
      dist: await freePort(),
      epmd: await freePort(),
    };
    return startRabbit({ log, dir: makeScratch('rabbitmq'), ports });
  },

  isHealthy: async (state) => isSame(state.process) && answersAmqp(state.ports.amqp),

  async stop(state) {
    await stopProcess(state.process, { waitMs: 30_000 });
    await stopProcess(state.launcher);
    await stopProcess(state.epmd);
  },

  async kill(state) {
    await killProcess(state.process);
    await killProcess(state.launcher);
    await killProcess(state.epmd);
  },

  wipe: (state) => rmSync(path.join(state.dir, 'mnesia'), { recursive: true, force: true }),
  env: (state) => ({ TEST_BROKER_URL: state.url }),
};

/**
 * Starts a server with its files in one folder; `stop` of the service above ends it.
 * @param options.ports `amqp`, `dist`, `epmd`; with `management` it has the management API there
 */
export async function startRabbit({ log, dir, ports }) {
  const program = await findServer(log);
  const env = environment(dir, ports);
  writeConfiguration(dir, ports);
  rmSync(path.join(dir, 'pid'), { force: true });
  const logFile = path.join(dir, 'log/out.log');
  const epmd = await startEpmd(ports.epmd, env, logFile);
  const launcher = spawnDetached(program, [], { env, cwd: dir, logFile });
  const state = {
    ports,
    url: `amqp://guest:guest@127.0.0.1:${ports.amqp}`,
    log: logFile,
    dir,
    epmd,
  };
  const isUp = async () => {
    if (launcher.exitCode !== null)
      throw new StartProblem(`RabbitMQ did not start: ${endOf(logFile)}`);
    return answersAmqp(ports.amqp);
  };
  if (!(await becomesTrue(isUp, startWithinMs, 200)))
    throw new StartProblem(`RabbitMQ: ${endOf(logFile)}`);
  const beam = Number(readFileSync(path.join(dir, 'pid'), 'utf8'));
  return { ...state, process: identify(beam), launcher: identify(launcher.pid) };
}

async function findServer(log) {
  if (!findProgram(candidates)) await installDebian(['rabbitmq-server'], log);
  const program = findProgram(candidates);
  if (!program)
    throw new StartProblem(`rabbitmq-server is installed but not at ${candidates.join(' or ')}`);
  return program;
}

/** A separate port mapper: the shared one would belong to another user, or die with another RabbitMQ. */
async function startEpmd(port, env, logFile) {
  const program = findProgram(['epmd', '/usr/bin/epmd', '/opt/homebrew/bin/epmd']);
  if (!program)
    throw new StartProblem('epmd, a part of Erlang, is not installed; install erlang-base');
  const child = spawnDetached(program, ['-port', String(port), '-address', '127.0.0.1'], {
    env,
    logFile,
  });
  return identify(child.pid);
}

function environment(dir, ports) {
  return {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: path.join(dir, 'home'), // .erlang.cookie lives here
    RABBITMQ_NODENAME: `trawl${ports.amqp}@localhost`, // no look-up of the machine's name
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_DIST_PORT: String(ports.dist),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(ports.epmd),
    RABBITMQ_MNESIA_BASE: path.join(dir, 'mnesia'),
    RABBITMQ_LOG_BASE: path.join(dir, 'log'),
    RABBITMQ_CONFIG_FILE: path.join(dir, 'rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: path.join(dir, 'none'),
    RABBITMQ_CONF_ENV_FILE: path.join(dir, 'none.conf'), // keeps /etc/rabbitmq out
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(dir, 'enabled_plugins'),
    RABBITMQ_PID_FILE: path.join(dir, 'pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none',
  };
}

function writeConfiguration(dir, { management }) {
  for (const name of ['home', 'mnesia', 'log'])
    mkdirSync(path.join(dir, name), { recursive: true, mode: 0o700 });
  const lines = [
    'loopback_users.guest = true',
    'vm_memory_high_watermark.absolute = 1GiB',
    'disk_free_limit.absolute = 100MB',
    'log.console = true',
    'log.console.level = warning',
    'log.file = false',
  ];
  const plugins = ['rabbitmq_consistent_hash_exchange'];
  if (management) {
    plugins.push('rabbitmq_management');
    lines.push('management.tcp.ip = 127.0.0.1', `management.tcp.port = ${management}`);
    lines.push('collect_statistics_interval = 1000'); // 5 s by default: figures that old fit nothing
  }
  writeFileSync(path.join(dir, 'rabbitmq.conf'), `${lines.join('\n')}\n`);
  writeFileSync(path.join(dir, 'enabled_plugins'), `[${plugins.join(',')}].\n`);
}

/**
 * The listener opens at the end of the boot; an answer to the protocol header proves that the broker itself
 * responds.
 */
function answersAmqp(port) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', timeout: 3_000 });
    const answer = (value) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => socket.write(Buffer.from('AMQP\0\0\x09\x01', 'latin1')));
    socket.once('data', (data) => answer(data[0] === 1)); // a method frame: Connection.Start
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => answer(false));
  });
}

function endOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-1_500) : 'no log';
}
