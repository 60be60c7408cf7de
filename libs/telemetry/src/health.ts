/** A check of one dependency of the process. Rejects with the problem. */
export interface DependencyCheck {
  readonly name: string;
  /** The fix for operators when the check fails, in one line. */
  readonly fix: string;
  readonly check: () => Promise<void>;
  /** False: reported, but the process can work without it. @default true */
  readonly isNeeded?: boolean;
}

export interface DependencyState {
  readonly name: string;
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly problem?: string;
  readonly fix?: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly draining: boolean;
  readonly dependencies: readonly DependencyState[];
}

const CHECK_TIMEOUT_MS = 3_000;

/** Whether a process can take work: not draining, and every needed dependency responds. */
export class Health {
  private running: Promise<Readiness> | undefined;
  private draining = false;
  private checks: readonly DependencyCheck[] = [];

  /** Called once the dependencies of the process are open; before that it is not ready. */
  watch(checks: readonly DependencyCheck[]): void {
    this.checks = checks;
  }

  /** Adds a check to those that are watched. */
  require(check: DependencyCheck): void {
    this.checks = [...this.checks, check];
  }

  startDraining(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /** Callers that ask at the same time share one round of checks. */
  readiness(): Promise<Readiness> {
    this.running ??= this.check().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async check(): Promise<Readiness> {
    const dependencies = await Promise.all(this.checks.map(runCheck));
    const isFit = this.checks.every(
      ({ isNeeded = true }, index) => !isNeeded || dependencies[index]?.ok === true,
    );
    const ready = !this.draining && this.checks.length > 0 && isFit;
    return { ready, draining: this.draining, dependencies };
  }
}

async function runCheck({ name, fix, check }: DependencyCheck): Promise<DependencyState> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no response in ${CHECK_TIMEOUT_MS} ms`)),
      CHECK_TIMEOUT_MS,
    );
  });
  try {
    await Promise.race([check(), timeout]);
    return { name, ok: true, latencyMs: elapsed() };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { name, ok: false, latencyMs: elapsed(), problem, fix };
  } finally {
    clearTimeout(timer);
  }
}
