// MinIO for tests: from PATH, or built once by Go and kept outside the clone.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

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
import { findProgram } from './find-program.mjs';
import { goProgram } from './go-program.mjs';
import { makeScratch } from './scratch.mjs';

/** The newest on the Go module proxy; MinIO's release names are no module versions. */
const version = 'v0.0.0-20260212201848-7aac2a2c5b7c';
const bucket = 'trawl-test';

export const minio = {
  name: 'minio',
  given: 'TEST_STORAGE_URL',
  image: {
    name: 'minio/minio:RELEASE.2025-09-07T16-13-09Z',
    port: 9000,
    command: ['server', '/data'],
    url: (port, secrets) => storageUrl(port, secrets),
    secrets: newSecrets,
    env: (secrets) => ({ MINIO_ROOT_USER: secrets.user, MINIO_ROOT_PASSWORD: secrets.password }),
    isReady: (port) => isReady(port),
    prepare: makeBucket,
  },

  async start({ log, previous }) {
    const program = await findServer(log);
    const dir = makeScratch('minio');
    const secrets = previous?.secrets ?? newSecrets();
    const port = await freePort(previous?.port);
    const logFile = path.join(dir, 'minio.log');
    const server = startServer({
      program,
      dir,
      secrets,
      port,
      consolePort: await freePort(),
      logFile,
    });
    const isUp = () => {
      if (server.exitCode !== null) throw new StartProblem(`MinIO did not start, see ${logFile}`);
      return isReady(port);
    };
    if (!(await becomesTrue(isUp, 60_000)))
      throw new StartProblem(`MinIO does not become ready, see ${logFile}`);
    await makeBucket(port, secrets);
    const url = storageUrl(port, secrets);
    return { process: identify(server.pid), port, secrets, url, dir, log: logFile };
  },

  isHealthy: async (state) => isSame(state.process) && isReady(state.port),
  stop: (state) => stopProcess(state.process),
  kill: (state) => killProcess(state.process),
  wipe: (state) => rmSync(path.join(state.dir, 'data'), { recursive: true, force: true }),
  env: (state) => ({ TEST_STORAGE_URL: state.url }),
};

function newSecrets() {
  return {
    user: `test${randomBytes(6).toString('hex')}`,
    password: randomBytes(18).toString('hex'),
  };
}

function storageUrl(port, { user, password }) {
  return `s3+http://${user}:${password}@127.0.0.1:${port}/${bucket}`;
}

function startServer({ program, dir, secrets, port, consolePort, logFile }) {
  const addresses = [
    '--address',
    `127.0.0.1:${port}`,
    '--console-address',
    `127.0.0.1:${consolePort}`,
  ];
  mkdirSync(path.join(dir, 'data'), { recursive: true, mode: 0o700 });
  return spawnDetached(program, ['server', path.join(dir, 'data'), '--quiet', ...addresses], {
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      MINIO_ROOT_USER: secrets.user,
      MINIO_ROOT_PASSWORD: secrets.password,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    cwd: dir,
    logFile,
  });
}

async function isReady(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/minio/health/ready`, {
    signal: AbortSignal.timeout(2_000),
  })
    .then((response) => response.status)
    .catch(() => 0); // it does not listen yet
  return answer === 200;
}

async function makeBucket(port, { user, password }) {
  const { Client } = await import('minio');
  const client = new Client({
    endPoint: '127.0.0.1',
    port,
    useSSL: false,
    accessKey: user,
    secretKey: password,
  });
  for (let tries = 1; ; tries++) {
    try {
      if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket);
      return;
    } catch (error) {
      if (tries === 20) throw error; // it is "ready" a moment before the keys are loaded
      await delay(250);
    }
  }
}

async function findServer(log) {
  return (
    findProgram(['minio']) ??
    goProgram({ name: 'minio', module: `github.com/minio/minio@${version}`, log }).catch(
      (error) => {
        throw new StartProblem(
          `${error.message}\nPut a \`minio\` on the PATH, or set TEST_STORAGE_URL.`,
        );
      },
    )
  );
}
