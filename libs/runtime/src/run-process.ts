import {
  BAD_SETTINGS_EXIT_CODE,
  loadSettings,
  parseOtlpHeaders,
  removedSettings,
  SettingsError,
  type Settings,
} from '@app/config';
import { ReservedPort } from '@app/processes';
import { printAfterLog, startTracing, type Logger, type Tracing } from '@app/telemetry';
import { followStarter, onShutdown, type ShutdownStep } from './shutdown.js';
import { unusableSettings } from './unusable-settings.js';
import { VERSION } from './version.js';
import { openPortsRuntime, openRuntime, type PortsRuntime, type Runtime } from './open-runtime.js';

export interface ProcessOptions {
  readonly component: string;
  /** Whether this process may migrate; MIGRATE_ON_START decides. */
  readonly migrate: boolean;
  /** @default read from the environment */
  readonly settings?: Settings;
  /** Called when everything has started and was logged; what it prints comes last. */
  readonly onReady?: (print: (text: string) => void) => Promise<void>;
  /** Steps after everything else is closed. */
  readonly last?: readonly ShutdownStep[];
}

/**
 * Lifecycle of a cluster process: settings, ports, health, `start`, and shutdown. `start` returns the shutdown
 * steps, which run in order between "not ready" and the closing of the ports.
 */
export async function runProcess(
  options: ProcessOptions,
  start: (runtime: Runtime) => Promise<readonly ShutdownStep[]>,
): Promise<void> {
  const { component } = options;
  await live(
    options,
    (settings) =>
      openRuntime({ settings, component, migrate: options.migrate && settings.migrateOnStart }),
    start,
  );
}

/** {@link runProcess} for a process without access to the database. */
export async function runPortsProcess(
  component: string,
  start: (runtime: PortsRuntime) => Promise<readonly ShutdownStep[]>,
): Promise<void> {
  await live({ component }, (settings) => openPortsRuntime({ settings, component }), start);
}

async function live<R extends PortsRuntime>(
  options: Omit<ProcessOptions, 'migrate'>,
  open: (settings: Settings) => R,
  start: (runtime: R) => Promise<readonly ShutdownStep[]>,
): Promise<void> {
  const wanted = options.settings ?? settingsOrExit();
  // Chosen before the components are created, as download links contain it.
  const held = wanted.port === 0 ? await ReservedPort.on(wanted.host) : null;
  const settings = held ? { ...wanted, port: held.port } : wanted;
  const runtime = {
    ...openOrExit(settings, open),
    releasePort: () => held?.release() ?? Promise.resolve(),
  };
  const { log, health, metrics, ops } = runtime;
  const removed = removedSettings();
  if (removed.length > 0) log.warn({ removed }, 'settings without effect are set');
  const tracing = await startTraces(settings, options.component, log);
  let steps: readonly ShutdownStep[] = [];
  const stop = onShutdown({
    log,
    drainMs: settings.drainSeconds * 1_000,
    steps: () => [
      {
        name: 'leave readiness',
        run: async () => {
          health.startDraining();
          metrics.draining.set(1);
        },
      },
      ...steps,
      { name: 'close ports', run: () => runtime.close() },
      { name: 'send traces', run: () => tracing.stop() },
      { name: 'close metrics', run: () => ops.close() },
      ...(options.last ?? []),
    ],
  });
  try {
    if (settings.metricsPort !== undefined) {
      const metricsUrl = await ops.listen(settings.metricsHost, settings.metricsPort);
      log.info({ metricsUrl }, 'metrics and health');
    }
    steps = await start(runtime);
    log.info('ready');
    void unusableSettings(settings, options.component).then((found) => {
      for (const { env, problem } of found)
        log.error({ setting: env, problem }, 'a setting names what does not work');
    });
    await options.onReady?.((text) => printAfterLog(log, text));
  } catch (err) {
    // Stopped while it waited for the database: no failure.
    if (health.isDraining) return;
    log.fatal({ err }, 'start failed');
    process.exitCode = 1;
    await stop('start failed');
  }
}

function startTraces(settings: Settings, component: string, log: Logger): Promise<Tracing> {
  const { otlpEndpoint: endpoint, otlpHeaders, tracesShare: share } = settings;
  const headers = parseOtlpHeaders(otlpHeaders);
  return startTracing({ endpoint, headers, share, component, version: VERSION, log });
}

/**
 * Settings of this process; an invalid one ends it with a message that names it. Every process reads them first.
 */
export function settingsOrExit(): Settings {
  followStarter();
  try {
    return loadSettings();
  } catch (error) {
    return exitFor(error);
  }
}

/** What `open` returns; settings it refuses end the process with a message that names them. */
export function openOrExit<R>(settings: Settings, open: (settings: Settings) => R): R {
  try {
    return open(settings);
  } catch (error) {
    return exitFor(error);
  }
}

function exitFor(error: unknown): never {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(BAD_SETTINGS_EXIT_CODE);
}
