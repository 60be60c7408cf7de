import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '@app/config';
import { newId } from '@app/contracts';
import {
  BlockedUrlError,
  OutboundProxies,
  parseOutboundProxies,
  TargetResolver,
  type EgressGuard,
} from '@app/egress';
import { BROWSER_FIX, openBrowsers } from '../../fetcher/src/outbound/open-browsers.js';
import {
  createGuard,
  DEPENDENCY_FIXES,
  openRuntime,
  unusableSettings,
  type Runtime,
} from '@app/runtime';
import {
  createLogger,
  Health,
  Metrics,
  type DependencyCheck,
  type Readiness,
} from '@app/telemetry';
import { DataFolderInUse } from './data-folder-lock.js';
import { embeddedSettings } from './embedded-settings.js';
import { openDatabase } from './open-database.js';

const MIN_FREE_BYTES = 1024 ** 3;
const MAX_CLOCK_SKEW_MS = 5_000;
const PROBE_NAME = 'example.com';

type Finding = 'ok' | 'note' | 'FAIL';

/**
 * `npm run doctor`: checks everything the service needs and prints one line for each with the problem and the
 * fix. Returns the exit code: 1 if a required check fails.
 */
export async function runDoctor(given: Settings): Promise<number> {
  say('ok', 'settings', 'every setting is valid');
  say('ok', 'node', `${process.version} on ${process.platform} ${process.arch}`);
  const isolated = await runChecks(checksWithoutPorts(given));
  const ports = await checkPorts(given);
  return isolated && ports ? 0 : 1;
}

async function checkPorts(given: Settings): Promise<boolean> {
  const database = await openDatabase(given).catch((error: Error) => error);
  if (database instanceof DataFolderInUse) return checkRunning(given);
  if (database instanceof Error) {
    say('FAIL', 'database', database.message);
    return false;
  }
  const settings = embeddedSettings({ ...given, logLevel: 'fatal' }, database.url);
  const runtime = openRuntime({ settings, component: 'doctor', migrate: true });
  try {
    await runtime.databaseReady;
    return await runChecks(portChecks(runtime));
  } finally {
    await runtime.close();
    await database.stop();
  }
}

/** The service runs on this data folder: its own health check is used. */
async function checkRunning({ host, port, publicUrl }: Settings): Promise<boolean> {
  const url = `${publicUrl ?? `http://${host}:${port}`}/health/ready?verbose`;
  try {
    const response = await fetch(url);
    const { dependencies } = (await response.json()) as Readiness;
    say('ok', 'service', `is running; these are its own checks (${url})`);
    for (const { name, ok, fix } of dependencies) {
      say(ok ? 'ok' : 'FAIL', name, ok ? '' : (fix ?? ''));
    }
    return response.ok && dependencies.every(({ ok }) => ok);
  } catch (error) {
    const { message } = error as Error;
    say(
      'FAIL',
      'service',
      `runs on this data folder but does not respond at ${url} (${message}). Set HOST and PORT as the service does.`,
    );
    return false;
  }
}

/** Needed checks fail the doctor; the others are warnings. */
type DoctorCheck = DependencyCheck & { readonly isNeeded: boolean };

async function runChecks(checks: readonly DoctorCheck[]): Promise<boolean> {
  let isWell = true;
  for (const { name, check, fix, isNeeded } of checks) {
    try {
      await check();
      say('ok', name, '');
    } catch (error) {
      isWell &&= !isNeeded;
      say(
        isNeeded ? 'FAIL' : 'note',
        name,
        `${error instanceof Error ? error.message : String(error)}. ${fix}`,
      );
    }
  }
  return isWell;
}

function say(finding: Finding, name: string, text: string): void {
  process.stdout.write(`${finding.padEnd(5)} ${name.padEnd(17)} ${text}\n`);
}

function checksWithoutPorts(settings: Settings): DoctorCheck[] {
  return [
    {
      name: 'disk',
      isNeeded: true,
      fix: 'Free some space, or set DATA_DIR to a larger disk.',
      check: () => requireFreeSpace(settings.dataDir),
    },
    {
      name: 'egress guard',
      isNeeded: true,
      fix: 'Check FETCH_ALLOW_PRIVATE: it allows private addresses to every caller.',
      check: () => requireGuard(settings),
    },
    {
      name: 'DNS',
      isNeeded: false,
      fix: 'Public pages cannot be fetched from here; check the DNS resolver and the internet connection.',
      check: async () => void (await new TargetResolver().resolve(PROBE_NAME)),
    },
    {
      name: 'proxies',
      isNeeded: true,
      fix: 'Check OUTBOUND_PROXIES: fetches through a failing proxy are not made at all.',
      check: () => requireProxies(settings.outboundProxies),
    },
    {
      name: 'named by settings',
      isNeeded: true,
      fix: 'Until then the service works without it.',
      check: () => requireNamed(settings),
    },
    {
      name: 'browser',
      isNeeded: true,
      fix: `${BROWSER_FIX} TRAWL_BROWSER=none does without.`,
      check: () => requireChromium(settings),
    },
  ];
}

function portChecks({
  database,
  queue,
  blobs,
}: Pick<Runtime, 'database' | 'queue' | 'blobs'>): DoctorCheck[] {
  return [
    {
      name: 'database',
      isNeeded: true,
      fix: DEPENDENCY_FIXES.database,
      check: () => database.ping(),
    },
    {
      name: 'clock',
      isNeeded: true,
      fix: 'Leases and deadlines need synchronized clocks: run a time service on both machines.',
      check: async () => requireClock(await database.clockSkewMs()),
    },
    {
      name: 'broker',
      isNeeded: true,
      fix: DEPENDENCY_FIXES.broker,
      check: () => queue.ping(),
    },
    {
      name: 'storage',
      isNeeded: true,
      fix: 'Check STORAGE_URL: URL, key, secret, and permission to write and delete.',
      check: () => requireStorage(blobs),
    },
  ];
}

async function requireFreeSpace(dataDir: string): Promise<void> {
  const folder = path.resolve(dataDir);
  const { bavail, bsize } = await statfs(folder).catch(() => statfs(path.dirname(folder)));
  if (bavail * bsize < MIN_FREE_BYTES) {
    throw new Error(`only ${Math.round((bavail * bsize) / 1024 ** 2)} MiB are free`);
  }
}

async function requireGuard(settings: Settings): Promise<void> {
  const guard = createGuard(settings);
  for (const target of ['http://169.254.169.254/', 'http://[fd00:ec2::254]/']) {
    if (await isAllowed(guard, target)) throw new Error(`${target} is not blocked`);
  }
}

async function isAllowed(guard: EgressGuard, target: string): Promise<boolean> {
  try {
    await guard.vet(guard.parse(target));
    return true;
  } catch (error) {
    if (error instanceof BlockedUrlError) return false;
    throw error;
  }
}

const PROXY_TEST_MS = 10_000;

async function requireProxies(text: string): Promise<void> {
  const proxies = new OutboundProxies(parseOutboundProxies(text));
  const results = await proxies.selfTest(AbortSignal.timeout(PROXY_TEST_MS));
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  throw new Error(failed.map(({ label, problem }) => `${label} ${problem}`).join('; '));
}

/** As the fetcher starts it: in a separate process, and as another user if this one is root. */
async function requireChromium(settings: Settings): Promise<void> {
  const log = createLogger({ level: 'silent', component: 'doctor' });
  const ports = { settings, log, metrics: new Metrics(), health: new Health() };
  const { process: browsers, tried } = openBrowsers(ports);
  try {
    const result = await tried;
    if (result?.ok === false) throw new Error(result.problem);
  } finally {
    await browsers?.close();
  }
}

async function requireNamed(settings: Settings): Promise<void> {
  const found = await unusableSettings(settings, 'doctor');
  if (found.length > 0)
    throw new Error(found.map(({ env, problem }) => `${env}: ${problem}`).join('; '));
}

async function requireClock(skewMs: number): Promise<void> {
  if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS) {
    throw new Error(`this clock and the database's differ by ${Math.round(skewMs)} ms`);
  }
}

async function requireStorage(blobs: Runtime['blobs']): Promise<void> {
  const key = `doctor/${newId()}`;
  await blobs.put(key, Buffer.from('trawl'));
  const text = (await blobs.read(key, undefined, 16)).toString('utf8');
  await blobs.delete(key);
  if (text !== 'trawl') throw new Error('the data read differs from the data written');
}
