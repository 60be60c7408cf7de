import { createEventLoopLoadSignal, evaluateLoadSignalSample } from '@crawlee/core';
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

/** Browsers and threads count: they share the container's limit. */
function isMemoryShort(): boolean {
  const memory = containerMemory();
  return memory !== null && memory.used > memory.limit * MAX_MEMORY_RATIO;
}
