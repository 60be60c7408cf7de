import type { UsageMeter } from '@app/testing';
import type { BenchOptions, ContenderName } from './options.js';
import type { PageTally } from './page-tally.js';

export interface Contest {
  readonly options: BenchOptions;
  readonly siteUrl: string;
  /** Folder of this bench run: output, profiles, data. */
  readonly workDir: string;
  /** Starts a meter over process trees, by part; see UsageMeter. */
  readonly measure: (roots: Readonly<Record<string, readonly number[]>>) => UsageMeter;
}

export interface RoundOutcome {
  /** From the start of the crawl to its end; start-up of processes excluded. */
  readonly crawlMs: number;
  /** When it ended, Unix milliseconds. */
  readonly endedAtMs: number;
  /** What each page took, where that is known. */
  readonly latenciesMs: readonly number[];
  readonly crawlCpuMs: Readonly<Record<string, number>>;
  /** From the start of the process to its end; null for a service, which runs anyway. */
  readonly wholeMs: number | null;
  readonly wholeCpuMs: number | null;
  readonly peakRssBytes: number;
  readonly peakPssBytes: number;
  readonly tally: PageTally;
}

/** A crawler of the fixture site that delivers one Markdown document per page. */
export interface Contender {
  readonly name: ContenderName;
  /** Installs what it needs, once and before anything is measured. @throws LeftOut */
  prepare?(): Promise<void>;
  /** Once before the rounds, or before each with `--fresh`. */
  start(): Promise<void>;
  /** Calls `begin` when it is ready, right before its clock starts. */
  round(begin: () => Promise<void>): Promise<RoundOutcome>;
  stop(): Promise<void>;
}

/** A contender that cannot take part on this machine; the message says why. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}
