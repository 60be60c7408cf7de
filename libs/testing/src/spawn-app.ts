import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectNode, projectRoot } from './project-root.js';
import { type LogLine, SpawnedProcess } from './spawned-process.js';

export type AppName = 'standalone' | 'api' | 'fetcher' | 'tech-scan';

export interface SpawnAppOptions {
  readonly app: AppName;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of the project that is started. @default that of this file */
  readonly root?: string;
  /** Arguments of the app itself. */
  readonly args?: readonly string[];
  /** Flags of Node, such as `--cpu-prof`. */
  readonly nodeFlags?: readonly string[];
  /** Waits for the line that says it is ready; false returns at once. @default true */
  readonly waitUntilReady?: boolean;
  /** @default 100000 */
  readonly readyTimeoutMs?: number;
}

export interface SpawnedApp {
  readonly app: AppName;
  readonly process: SpawnedProcess;
  /** Address of its API; '' for an app without one, or when it was not waited for. */
  readonly url: string;
  /** Address of its metrics and health port; '' as long as it has named none. */
  readonly metricsUrl: string;
}

/**
 * Starts a built app (`npm run build` first) and waits until it says `listening` (api, standalone)
 * or `ready`. Rejects with the tail of its output when it ends instead. The caller stops it.
 */
export async function spawnApp(options: SpawnAppOptions): Promise<SpawnedApp> {
  const { app, env = {}, args = [], nodeFlags = [], waitUntilReady = true } = options;
  const { root = projectRoot() } = options;
  const main = path.join(root, `dist/apps/${app}/src/main.js`);
  if (!existsSync(main)) throw new Error(`${main} is missing: run npm run build`);
  const spawned = SpawnedProcess.spawn({
    name: app,
    command: projectNode(),
    args: [...usualNodeFlags(root), ...nodeFlags, main, ...args],
    env,
    cwd: root,
    withChannel: true,
  });
  if (!waitUntilReady) return makeApp(app, spawned, '');
  try {
    const ready = await waitForReady(spawned, app, options.readyTimeoutMs ?? 100_000);
    return makeApp(app, spawned, textOf(ready.url));
  } catch (error) {
    await spawned.kill9();
    throw error;
  }
}

/** Those of every start of an app. */
export function usualNodeFlags(root = projectRoot()): readonly string[] {
  const file = path.join(root, 'scripts/node-flags.json');
  return JSON.parse(readFileSync(file, 'utf8')) as string[];
}

function waitForReady(spawned: SpawnedProcess, app: AppName, timeoutMs: number): Promise<LogLine> {
  const word = app === 'api' || app === 'standalone' ? 'listening' : 'ready';
  return spawned.waitForLog((line) => line.msg === word, `a line with msg '${word}'`, timeoutMs);
}

function makeApp(app: AppName, spawned: SpawnedProcess, url: string): SpawnedApp {
  let metricsUrl = '';
  return {
    app,
    process: spawned,
    url,
    // Looked up when requested: it may be named after the line that says the app is ready. Old lines are not kept.
    get metricsUrl() {
      const isNamed = (line: LogLine): boolean => typeof line.metricsUrl === 'string';
      return (metricsUrl ||= textOf(spawned.log(isNamed)[0]?.metricsUrl));
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
