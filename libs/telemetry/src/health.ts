/** A check of one thing the process needs. Rejects with what is wrong. */
export interface DependencyCheck {
  readonly name: string;
  /** What an operator does when the check fails, in one line. */
  readonly fix: string;
  readonly check: () => Promise<void>;
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

/** Whether a process can take work: not draining, and every dependency answers. */
export class Health {
  private running: Promise<Readiness> | undefined;
  private draining = false;
  private checks: readonly DependencyCheck[] = [];

  /** Called once the process has wired its dependencies; before that it is not ready. */
  watch(checks: readonly DependencyCheck[]): void {
    this.checks = checks;
  }

  /** One more check beside those that are watched. */
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
    const ready =
      !this.draining && this.checks.length > 0 && dependencies.every((state) => state.ok);
    return { ready, draining: this.draining, dependencies };
  }
}

async function runCheck({ name, fix, check }: DependencyCheck): Promise<DependencyState> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer in ${CHECK_TIMEOUT_MS} ms`)),
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
