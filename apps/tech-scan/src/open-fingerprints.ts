import { SettingsError } from '@app/config';
import { loadBuiltInFingerprints, loadFingerprints, type Fingerprint } from '@app/tech';
import type { Logger } from '@app/telemetry';

export interface OpenedFingerprints {
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
