import { commandLine } from '@app/processes';
import { descendantsOf, hasProc } from './proc/process-table.js';
import { pause } from './until.js';

/** Things that keep a Node process alive, counted by kind ("TCPSocketWrap", "Timeout"). */
export function openHandles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export interface LeakCheck {
  /**
   * Rejects, naming what is left, when servers, sockets, timers or child processes that were not
   * there at the start are still there after `timeoutMs` (default 60000): closing takes a moment.
   */
  assertClean(timeoutMs?: number): Promise<void>;
}

/** Takes a note of what is open now; call `assertClean` when the test has closed its own. */
export function startLeakCheck(): LeakCheck {
  const handlesBefore = new Set(activeHandles());
  const timersBefore = countTimers();
  const childrenBefore = new Set(childProcesses().map(({ pid }) => pid));
  const leaks = (): readonly string[] => [
    ...activeHandles()
      .filter((handle) => !handlesBefore.has(handle))
      .map((handle) => handle.constructor.name),
    ...childProcesses()
      .filter(({ pid }) => !childrenBefore.has(pid))
      .map(({ pid, name }) => `process ${pid} ${commandLine(pid) || name}`),
    ...timersSince(timersBefore),
  ];
  return {
    async assertClean(timeoutMs = 60_000) {
      // By hand and not by `until`: no timer of our own may be running at the moment of the count.
      const endsAtMs = performance.now() + timeoutMs;
      while (leaks().length > 0 && performance.now() < endsAtMs) await pause(20);
      const left = leaks();
      if (left.length > 0) throw new Error(`left open: ${left.join(', ')}`);
    },
  };
}

/**
 * Node's public call gives kinds only, and a count misses a leak when something older closes
 * meanwhile. Sockets, servers and children themselves come from its older, undocumented one.
 */
function activeHandles(): readonly object[] {
  const { _getActiveHandles: list } = process as unknown as { _getActiveHandles(): object[] };
  return list.call(process);
}

function countTimers(): number {
  return openHandles().Timeout ?? 0;
}

function timersSince(before: number): readonly string[] {
  const more = countTimers() - before;
  return more > 0 ? [`${more} more timers`] : [];
}

function childProcesses() {
  return hasProc() ? descendantsOf(process.pid) : [];
}
