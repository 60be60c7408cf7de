import { createEventLoopLoadSignal, evaluateLoadSignalSample } from '@crawlee/core';

const INTERVAL_SECS = 0.5;
/** A loop late by this much answers heartbeats and timers late too. */
const MAX_BLOCKED_MS = 250;
const OVERLOADED_RATIO = 0.6;
const SAMPLE_MS = 5_000;
/** Share of the memory the process may have (its container's limit) from which on it takes no more. */
const MAX_MEMORY_RATIO = 0.85;

/** Whether this process is loaded so much that taking more work would harm the work it has. */
export class LoadSignals {
  private readonly eventLoop = createEventLoopLoadSignal({
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
    return isMemoryShort() || evaluateLoadSignalSample(sample, OVERLOADED_RATIO).isOverloaded;
  }
}

function isMemoryShort(): boolean {
  const limit = process.constrainedMemory();
  return limit > 0 && process.memoryUsage.rss() > limit * MAX_MEMORY_RATIO;
}
