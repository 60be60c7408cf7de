import 'reflect-metadata';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Deadline } from '@app/contracts';
import { compileFingerprints, scanPage, type Fingerprint } from '@app/tech';
import { readScanInput } from './scan-input.js';
import type {
  CompiledMessage,
  ScanThreadData,
  ScanWork,
  ScanWorkResult,
  StartedMessage,
} from './scan-work.js';

/**
 * A page that occupies its thread gets only idle processor time. On Linux a thread has its own
 * niceness (setpriority(2): 0 is the calling thread); elsewhere it would be the whole process's.
 */
const NICENESS = 10;
if (process.platform === 'linux') setPriority(0, NICENESS);

const SHOWN_PROBLEMS = 20;
const MAX_PROBLEM_CHARS = 300;

const { fingerprints } = workerData as ScanThreadData;
/** Compiled once for all pages of this thread. */
const set = compileFingerprints(JSON.parse(fingerprints) as readonly Fingerprint[]);
parentPort?.postMessage({
  compiled: {
    technologies: set.size,
    backtracking: set.backtracking.length,
    problems: set.problems.length,
    shown: set.problems.slice(0, SHOWN_PROBLEMS),
  },
} satisfies CompiledMessage);

/** Runs in a scan thread, which is ended if a page occupies it for too long. */
export default function scan({ id, body, budgetMs, doneAtMs }: ScanWork): ScanWorkResult {
  parentPort?.postMessage({ takenId: id } satisfies StartedMessage);
  const deadline = Deadline.at(doneAtMs).within(budgetMs);
  try {
    return { kind: 'scanned', outcome: scanPage(set, readScanInput(body), { deadline }) };
  } catch (error) {
    // As a value: a thrown error may contain parts of the page, and may not be transferable.
    return { kind: 'failed', problem: String(error).slice(0, MAX_PROBLEM_CHARS) };
  }
}
