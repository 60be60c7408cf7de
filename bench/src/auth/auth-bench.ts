// What a key, a window and an account add to a cheap request, beside a bare server. See
// ../../README.md.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApiKey, createTenant } from '@app/accounts';
import { Database } from '@app/database';
import {
  hasProc,
  projectNode,
  projectRoot,
  spawnApp,
  SpawnedProcess,
  until,
  UsageMeter,
} from '@app/testing';
import { openClusterServices } from '../contenders/cluster-services.js';
import { keepResults } from '../keep-results.js';
import { type AuthOptions, parseAuthOptions } from './auth-options.js';
import {
  authLine,
  type AuthRound,
  authTable,
  type AuthTarget,
  authVerdict,
} from './auth-report.js';
import { type LoadOrder, sendLoad } from './load-order.js';

const WARM_UP_SECONDS = 3;

/** One of the two servers, ready to be asked. */
interface Server {
  readonly target: AuthTarget;
  readonly port: number;
  readonly path: string;
  readonly keys: readonly string[];
  /** Its processes by part, for their CPU. */
  readonly roots: Readonly<Record<string, readonly number[]>>;
  readonly stop: () => Promise<void>;
}

/** Asks both servers in turns, prints the two side by side and whether the bars are met. */
export async function authBench(args: readonly string[]): Promise<void> {
  const options = parseAuthOptions(args);
  if (!hasProc()) throw new Error('the benchmark reads CPU from /proc: run it on Linux');
  const workDir = path.join(projectRoot(), '.cache/bench');
  await mkdir(workDir, { recursive: true });
  const servers: Server[] = [];
  const rounds: AuthRound[] = [];
  try {
    servers.push(await startEcho());
    servers.push(await startTrawl(options));
    for (const server of servers) await warmUp(server, options);
    for (let round = 1; round <= options.rounds; round++)
      // Reversed every other round, so that no contender always runs after the same neighbour.
      for (const server of round % 2 === 1 ? servers : servers.toReversed()) {
        const one = await measure(server, round, options);
        rounds.push(one);
        console.log(authLine(one));
      }
  } finally {
    for (const server of servers) await server.stop();
  }
  await keepResults({ options, rounds }, workDir, 'auth-');
  console.log(`\n${authTable(rounds)}\n\n${authVerdict(rounds)}`);
}

async function startEcho(): Promise<Server> {
  const process = SpawnedProcess.spawn({
    name: 'echo',
    command: projectNode(),
    args: [fileURLToPath(new URL('./echo.js', import.meta.url))],
  });
  const ready = await process.waitForLog((line) => line.msg === 'listening', 'its address');
  return {
    ...{ target: 'echo', path: '/echo', keys: ['none'] },
    port: Number(new URL(String(ready.url)).port),
    roots: { echo: [process.pid] },
    stop: async () => void (await process.stop()),
  };
}

/** The API of a cluster by itself: nothing is fetched. */
async function startTrawl({ tenants, path }: AuthOptions): Promise<Server> {
  const services = await openClusterServices();
  const shared = { HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0' };
  const api = await spawnApp({ app: 'api', env: { ...shared, ...services.env } }).catch(
    async (error: unknown) => {
      await services.close();
      throw error;
    },
  );
  const stop = async (): Promise<void> => {
    await api.process.stop();
    await services.close();
  };
  try {
    const isReady = async (): Promise<boolean> => (await fetch(`${api.url}/health/ready`)).ok;
    await until(isReady, { what: 'a ready API', timeoutMs: 60_000 });
    const keys = await makeKeys(services.env.DATABASE_URL, tenants);
    const { postgres = [] } = services.roots;
    const roots = { api: [api.process.pid], postgres };
    return { target: 'trawl', port: Number(new URL(api.url).port), path, keys, roots, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** On the largest plan: no request may be refused while the clock runs. */
async function makeKeys(databaseUrl: string, tenants: number): Promise<readonly string[]> {
  const database = new Database({ url: databaseUrl, poolSize: 2, applicationName: 'bench' });
  try {
    await database.connect();
    const keys: string[] = [];
    for (let n = 0; n < tenants; n++) {
      const { id } = await createTenant(database, `tenant ${n}`, 'custom');
      keys.push(await createApiKey(database, id, 'bench'));
    }
    return keys;
  } finally {
    await database.close();
  }
}

type Stretch = Pick<LoadOrder, 'connections' | 'seconds' | 'perSecond'>;

function loadOn({ port, path, keys }: Server, stretch: Stretch) {
  return sendLoad({ port, path, keys, ...stretch });
}

async function warmUp(server: Server, { connections }: AuthOptions): Promise<void> {
  await loadOn(server, { connections, seconds: WARM_UP_SECONDS, perSecond: null });
}

async function measure(server: Server, round: number, options: AuthOptions): Promise<AuthRound> {
  const { connections, seconds, perSecond } = options;
  const paced = await loadOn(server, { connections, seconds, perSecond });
  const meter = UsageMeter.start(server.roots, { intervalMs: 10_000 });
  try {
    const full = await loadOn(server, { connections, seconds, perSecond: null });
    const used = Object.entries(meter.stop().cpuMs);
    const cpuMs = Object.fromEntries(used.map(([part, ms]) => [part, ms / full.answers]));
    return { target: server.target, round, paced, full, cpuMs };
  } finally {
    meter.stop();
  }
}
