/** Checked once per this many nodes: reading the clock costs as much as a node. */
const NODES_A_LOOK = 1_024;

/**
 * CPU time of this thread that the conversion of one page may take. Steps that walk the page ask at
 * each node whether their part of it is used up, the others before they begin.
 */
export class CpuBudget {
  private readonly startedMs: number;
  private nodes = 0;

  /** @param nowMs CPU time of this thread, milliseconds */
  constructor(
    private readonly maxMs: number,
    private readonly nowMs: () => number = threadCpuMs,
  ) {
    this.startedMs = nowMs();
  }

  /** @param part of all the time, 0 to 1 */
  isSpent(part = 1): boolean {
    return this.nowMs() - this.startedMs >= part * this.maxMs;
  }

  /** {@link isSpent} for the nodes of a walk: the clock is read now and then. */
  isSpentAtNode(part = 1): boolean {
    return ++this.nodes % NODES_A_LOOK === 0 && this.isSpent(part);
  }
}

export const UNBOUNDED_CPU = new CpuBudget(Infinity, () => 0);

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
