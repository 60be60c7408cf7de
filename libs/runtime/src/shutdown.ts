import type { Logger } from '@app/telemetry';

/** One shutdown step; they run in the given order. */
export interface ShutdownStep {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** Called when the process that started this one is gone; replaced once the shutdown steps are known. */
let onParentGone = (): void => process.exit(1);

/**
 * Ends this process with the one that started it over a channel, even when that is killed. Call it first: the
 * event fires once, and opening a database takes a while.
 */
export function followStarter(): void {
  process.on('disconnect', () => onParentGone());
}

/** A second signal, or a step that hangs this long after the drain time, ends the process at once. */
const GRACE_MS = 10_000;

/**
 * Runs the steps once on SIGTERM, SIGINT or when the parent process is gone, then exits with `process.exitCode`,
 * 0 unless something failed before. A failed step is logged and the next one runs: a broken connection must not
 * keep a queue open.
 */
export function onShutdown(options: {
  readonly log: Logger;
  readonly drainMs: number;
  readonly steps: () => readonly ShutdownStep[];
}): (reason: string) => Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = (reason: string): Promise<void> => {
    stopping ??= shutDown(reason, options);
    return stopping;
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void stop(signal));
  }
  onParentGone = () => void stop('the parent process is gone');
  return stop;
}

async function shutDown(
  reason: string,
  { log, drainMs, steps }: Parameters<typeof onShutdown>[0],
): Promise<void> {
  log.info({ reason }, 'stopping');
  const kill = setTimeout(() => {
    log.error('stopping took too long, leaving now');
    process.exit(1);
  }, drainMs + GRACE_MS);
  kill.unref();
  for (const step of steps()) {
    // The last line shows whether a shutdown hangs.
    log.debug({ step: step.name }, 'stopping');
    try {
      await step.run();
    } catch (err) {
      log.warn({ err, step: step.name }, 'a step of stopping failed');
    }
  }
  log.info('stopped');
  process.exit(process.exitCode ?? 0);
}
