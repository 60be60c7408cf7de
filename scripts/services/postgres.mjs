// PostgreSQL for tests: the embedded one, started like that of the service, but it outlives this process.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { root } from '../bootstrap.mjs';
import {
  becomesTrue,
  canConnect,
  freePort,
  identify,
  isSame,
  killProcess,
  stopProcess,
} from '../processes.mjs';
import { makeScratch } from './scratch.mjs';

/** Without fsync only a machine that loses power loses data, not a killed server. */
const settings = {
  max_connections: '300',
  log_min_messages: 'warning',
  fsync: 'off',
  full_page_writes: 'off',
};

/** The starter decides on the data folder if the scratch folder is unsuitable. */
async function starter() {
  const load = (name) =>
    import(pathToFileURL(path.join(root, `dist/apps/standalone/src/${name}.js`)).href);
  return {
    ...(await load('postgres-binaries')),
    ...(await load('postgres-home')),
    ...(await load('postgres-process')),
  };
}

export const postgres = {
  name: 'postgres',
  given: 'TEST_DATABASE_URL',

  async start({ log, previous }) {
    const { installedPostgres, locatePostgresHome, openCluster, startServer, stopLeftover } =
      await starter();
    const home = locatePostgresHome({
      dataDir: makeScratch('postgres'),
      native: installedPostgres(),
      log,
    });
    await stopLeftover(home, log);
    const password = openCluster(home, log);
    const port = await freePort(previous?.port);
    const server = await startServer({ home, port, settings, watchdog: false });
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    return { process: identify(server.pid), port, url, home: home.dir, log: home.logFile };
  },

  isHealthy: async (state) => isSame(state.process) && (await canConnect(state.port)),
  stop: (state) => stopProcess(state.process, { signal: 'SIGINT' }),
  /** The backends notice their parent's death and end too. */
  async kill(state) {
    await killProcess(state.process);
    await becomesTrue(async () => !(await canConnect(state.port)), 5_000);
  },
  wipe: (state) => rmSync(path.join(state.home, 'data'), { recursive: true, force: true }),
  env: (state) => ({ TEST_DATABASE_URL: state.url }),
};
