import { createRequire } from 'node:module';
import type * as Crawlee from '@crawlee/core';
import { containerMemory } from '@app/processes';

const INTERVAL_SECS = 0.5;
/** With this delay, heartbeats and timers are late too. */
const MAX_BLOCKED_MS = 250;
const OVERLOADED_RATIO = 0.6;
const SAMPLE_MS = 5_000;
/** Share of the container's memory above which no more work is taken. */
const MAX_MEMORY_RATIO = 0.85;

/** Whether this process is loaded so much that taking more work would harm the work it has. */
export class LoadSignals {
  /** Loaded here: processes without load signals, such as the API, start sooner without it. */
  private readonly crawlee = createRequire(import.meta.url)('@crawlee/core') as typeof Crawlee;
  private readonly eventLoop = this.crawlee.createEventLoopLoadSignal({
    eventLoopSnapshotIntervalSecs: INTERVAL_SECS,
    maxBlockedMillis: MAX_BLOCKED_MS,
    overloadedRatio: OVERLOADED_RATIO,
  });

  async start(): Promise<void> {
    await this.eventLoop.start();
  }

  async stop(): Promise<void> {
    await this.eventLoop.stop();
  }

  isOverloaded(): boolean {
    const sample = this.eventLoop.getSample(SAMPLE_MS);
    const { isOverloaded } = this.crawlee.evaluateLoadSignalSample(sample, OVERLOADED_RATIO);
    return isMemoryShort() || isOverloaded;
  }
}

/** Browsers and threads count: they share the container's limit. */
function isMemoryShort(): boolean {
  const memory = containerMemory();
  return memory !== null && memory.used > memory.limit * MAX_MEMORY_RATIO;
}
