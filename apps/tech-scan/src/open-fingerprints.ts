import { SettingsError } from '@app/config';
import { loadBuiltInFingerprints, loadFingerprints, type Fingerprint } from '@app/tech';
import type { Logger } from '@app/telemetry';

export interface OpenedFingerprints {
  /** Of the same name the last stands, so an operator's takes the place of ours. */
  readonly fingerprints: readonly Fingerprint[];
  /** Technologies that can be told by them. */
  readonly size: number;
}

/** Problems that are logged one by one; of the others only the number is. */
const SHOWN_PROBLEMS = 20;

/**
 * The fingerprints of this build, and those of the operator's file or folder. Entries that cannot be used
 * are logged and left out; what becomes of patterns is seen when a thread compiles them.
 * @param path '': there are none of the operator's
 * @throws SettingsError when the operator's cannot be read, or hold nothing
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
    log.warn({ path, problems: problems.length, shown }, 'fingerprints that cannot be used');
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
