import { availableParallelism } from 'node:os';
import type { PortsRuntime } from '@app/runtime';
import {
  hardLimitMs,
  loadBuiltInFingerprints,
  loadFingerprints,
  type Fingerprint,
} from '@app/tech';
import { SettingsError } from '@app/config';
import type { Logger } from '@app/telemetry';
import { TurnLine } from '@app/turns';
import { scanHandler, TenantCooldown } from './scan.consumer.js';
import { ScanPool } from './scan-pool.js';

/** Specification, tech_meta `tenant_cooldown`: the default. */
const COOLDOWN_MS = 10 * 60_000;
/** Heap of one scan thread; a scan that needs more is ended with it. */
const MAX_HEAP_MIB = 512;
/** Scans taken from the queue at once, including those that wait for a thread; shared between tenants. */
export const SCANS_AT_ONCE = 64;

export interface RunningTechScan {
  /** Accepts nothing new, requeues waiting scans, finishes running ones, and ends the threads. */
  drain(timeoutMs: number): Promise<{ readonly abandoned: number }>;
}

/** The parts of a runtime that a scanner needs: no database. */
export type TechScanRuntime = Pick<
  PortsRuntime,
  'settings' | 'queue' | 'blobs' | 'metrics' | 'health' | 'log'
>;

/**
 * Starts to consume scan tasks once the threads are warm: compiling the fingerprints takes each of them half a
 * second, which would delay the first pages. Until then the process is not ready.
 * @throws SettingsError if the operator's fingerprints cannot be read
 */
export async function startTechScan(runtime: TechScanRuntime): Promise<RunningTechScan> {
  const { settings, queue, blobs, metrics, health, log } = runtime;
  const { fingerprints, size } = openFingerprints(settings.techFingerprintsPath, log);
  metrics.techScanFingerprints.set(size);
  const perTenant = settings.techScanThreads || Math.max(1, availableParallelism() - 1);
  // One more than a single tenant may use, so that another's scan need not wait for its slow ones.
  const total = perTenant + 1;
  const turns = new TurnLine({ total, perTenant });
  const pool = new ScanPool({
    fingerprints,
    threads: total,
    maxHeapMb: MAX_HEAP_MIB,
    budgetMs: settings.techScanBudgetMs,
    hardMs: hardLimitMs(settings.techScanBudgetMs),
    onProblem: (err) => log.error({ err }, 'a scan thread broke'),
    onCompiled: (report) => {
      if (report.problems > 0) log.warn(report, 'invalid patterns');
      else log.info(report, 'fingerprints compiled');
    },
  });
  health.require({
    name: 'scanners',
    fix: 'Wait: the fingerprints are being compiled. If this does not end, the log shows why scan threads end.',
    check: async () => {
      if (!pool.isWarm) throw new Error('scan threads are starting');
    },
  });
  await pool.warm();
  const cooldown = new TenantCooldown({ cooldownMs: COOLDOWN_MS });
  metrics.onCollect(async () => metrics.techScansPending.set(turns.waiting));
  const consumer = await queue.consume('tech-scan', {
    concurrency: SCANS_AT_ONCE,
    isFair: true,
    handler: scanHandler({ blobs, turns, pool, cooldown, metrics, log }),
  });
  return {
    async drain(timeoutMs) {
      const drained = consumer.drain(timeoutMs);
      turns.close();
      const { abandoned } = await drained;
      metrics.drainAbandoned.inc(abandoned);
      await pool.close();
      return { abandoned };
    },
  };
}

interface OpenedFingerprints {
  /** Later entries replace earlier ones of the same name, so an operator's entry replaces a bundled one. */
  readonly fingerprints: readonly Fingerprint[];
  /** Technologies that they can detect. */
  readonly size: number;
}

/** Maximum number of problems that are logged in detail; the others are only counted. */
const SHOWN_PROBLEMS = 20;

/**
 * The bundled fingerprints, and those of the operator's file or folder. Invalid entries are logged and
 * skipped; invalid patterns are found when a thread compiles them.
 * @param path '': the operator has none
 * @throws SettingsError if the operator's cannot be read, or are empty
 */
export function openFingerprints(path: string, log: Logger): OpenedFingerprints {
  const builtIn = loadBuiltInFingerprints();
  const own = path === '' ? { fingerprints: [], problems: [] } : operatorsFingerprints(path);
  const fingerprints = [...builtIn, ...own.fingerprints];
  const size = new Set(fingerprints.map(({ name }) => name)).size;
  log.info(
    { builtIn: builtIn.length, own: own.fingerprints.length, all: size },
    'fingerprints loaded',
  );
  const { problems } = own;
  if (problems.length > 0) {
    const shown = problems.slice(0, SHOWN_PROBLEMS);
    log.warn({ path, problems: problems.length, shown }, 'invalid fingerprints');
  }
  return { fingerprints, size };
}

function operatorsFingerprints(path: string): ReturnType<typeof loadFingerprints> {
  const loaded = readOrRefuse(path);
  if (loaded.fingerprints.length > 0) return loaded;
  throw refusal(path, loaded.problems[0] ?? 'it holds no fingerprints');
}

function readOrRefuse(path: string): ReturnType<typeof loadFingerprints> {
  try {
    return loadFingerprints(path);
  } catch (error) {
    throw refusal(path, error instanceof Error ? error.message : String(error));
  }
}

function refusal(path: string, problem: string): SettingsError {
  return new SettingsError([
    `TECH_FINGERPRINTS_PATH: ${JSON.stringify(path)} cannot be used: ${problem}`,
  ]);
}
