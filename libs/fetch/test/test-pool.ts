import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Deadline } from '@app/contracts';
import { readProcesses, tracesOf } from '@app/processes';
import {
  startRespondingProxy,
  type ProxyResponder,
  type RespondingProxy,
} from './responding-proxy.js';
import { BrowserPool } from '../src/browser/browser-pool.js';
import { chromiumPath } from '../../../test/setup/test-servers.js';
import type { BrowserPoolOptions, LeaseRequest } from '../src/browser/pool-options.js';

/** Limits that a busy machine keeps, too. */
const PATIENT = {
  launchTimeoutMs: 60_000,
  closeTimeoutMs: 30_000,
  probeTimeoutMs: 30_000,
  keepContextMs: 60_000,
} as const;

/** For tests: a pool with a scratch root and a site of its own. */
export interface TestPool extends AsyncDisposable {
  readonly pool: BrowserPool;
  readonly proxy: RespondingProxy;
  readonly scratchRoot: string;
}

export async function openTestPool(
  options: Partial<BrowserPoolOptions> = {},
  respond: ProxyResponder = (_url, _request, response) => void response.end('ok'),
): Promise<TestPool> {
  const scratchRoot = await mkdtemp(path.join(tmpdir(), 'trawl-pool-test-'));
  const proxy = await startRespondingProxy(respond);
  const pool = new BrowserPool({
    executablePath: chromiumPath(),
    refusingUrl: 'http://127.0.0.1:9',
    openSession: () => proxy.openProxyPort(),
    userAgentSuffix: 'TestBot/1.0 (+https://bot.example)',
    scratchRoot,
    ...PATIENT,
    ...options,
  });
  return {
    pool,
    proxy,
    scratchRoot,
    async [Symbol.asyncDispose]() {
      await pool.close();
      await proxy.close();
      await rm(scratchRoot, { recursive: true });
    },
  };
}

export function poolRequest(changes: Partial<LeaseRequest> = {}): LeaseRequest {
  return {
    country: null,
    stealth: false,
    mobile: false,
    viewport: { width: 1280, height: 720 },
    contextKey: null,
    priority: 'interactive',
    deadline: Deadline.after(60_000),
    ...changes,
  };
}

/** Leaders of living browsers whose profile lies below `folder`. */
export async function browsersIn(folder: string): Promise<number[]> {
  const mark = `--user-data-dir=${folder}/`;
  const pids: number[] = [];
  for (const { pid, isZombie, groupId } of await readProcesses()) {
    const traces = isZombie || pid !== groupId ? [] : await tracesOf(pid);
    if (traces.some((one) => one.startsWith(mark))) pids.push(pid);
  }
  return pids;
}
