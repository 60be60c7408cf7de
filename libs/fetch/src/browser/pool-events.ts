import type { CrashReason } from './browser-errors.js';

export type RecycleReason = 'pages' | 'age' | 'rss' | 'error' | 'idle';
export type InstanceState = 'idle' | 'busy' | 'launching' | 'retiring';

/** `version`: of the program that runs; `problem`: why none does, in one line. */
export type LaunchResult =
  | { readonly ok: true; readonly version: string }
  | { readonly ok: false; readonly problem: string };

/** Events of the pool, for metrics. No listener may throw. */
export interface BrowserPoolEvents {
  onLaunch?(result: LaunchResult, durationMs: number): void;
  /** A task stopped waiting for a page slot. */
  onWait?(waitMs: number, outcome: 'served' | 'gave_up'): void;
  onCrash?(reason: CrashReason): void;
  /** A browser was set aside on purpose. */
  onRecycle?(reason: RecycleReason): void;
  /** Once, when the first browser is up: the start says it. */
  onSandbox?(isOn: boolean, reason: string): void;
}

/** Gauges of one moment. */
export interface BrowserPoolSnapshot {
  readonly instances: Readonly<Record<InstanceState, number>>;
  /** Page slots: pages that may be open at once. */
  readonly capacity: number;
  readonly waiters: number;
  readonly pagesOpen: number;
  /** Contexts kept open, idle, for the next page of their key. */
  readonly contextsKept: number;
  /** Memory of the process trees, pages shared within a tree counted once. */
  readonly residentBytes: { readonly sum: number; readonly max: number };
  readonly processes: { readonly live: number; readonly zombie: number };
  /** Bytes used of /dev/shm; null where there is none. */
  readonly sharedMemoryBytes: number | null;
}
