const HEARTBEAT_MS = 5_000;

export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Sends the progress of one call, if the client requested it. Its number only grows, as the protocol requires. */
export class CallProgress {
  private last = -1;

  constructor(
    /** Null: the client sent no progress token. */
    private readonly send: ((report: ProgressReport) => void) | null,
    private readonly heartbeatMs = HEARTBEAT_MS,
  ) {}

  report(report: ProgressReport): void {
    if (!this.send || report.progress <= this.last) return;
    this.last = report.progress;
    this.send(report);
  }

  /**
   * Reports the seconds that the work takes, so that clients which extend their time limit with each report wait
   * for it.
   */
  async during<T>(what: string, work: Promise<T>): Promise<T> {
    if (!this.send) return work;
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      this.report({ progress: this.last + 1, message: `${what}: ${seconds} s` });
    }, this.heartbeatMs);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }
}
