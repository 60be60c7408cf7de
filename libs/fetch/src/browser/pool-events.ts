import type { CrashReason } from './browser-errors.js';

export type RecycleReason = 'pages' | 'age' | 'rss' | 'error' | 'idle';
export type InstanceState = 'idle' | 'busy' | 'launching' | 'retiring';

/** What the pool tells as it happens; whoever wires the metrics counts it. None may throw. */
export interface BrowserPoolEvents {
  onLaunch?(result: 'ok' | 'error', durationMs: number): void;
  /** A task stopped waiting for a seat. */
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
  /** Seats: pages that may be open at once. */
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
