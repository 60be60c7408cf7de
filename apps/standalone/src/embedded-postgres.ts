import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { lockDataFolder } from './data-folder-lock.js';
import { installedPostgres } from './postgres-binaries.js';
import { locatePostgresHome, openCluster, type PostgresHome } from './postgres-home.js';
import { startServer, stopLeftover, type PostgresProcess } from './postgres-process.js';

export interface EmbeddedPostgresOptions {
  /** The service's data folder; created if missing. The database is in its `postgres` folder. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Server settings that replace the defaults, by PostgreSQL's own names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder with `bin/postgres`. @default the one npm installed for this platform */
  readonly native?: string;
}

export interface EmbeddedPostgres {
  /** With user and password; unchanged after a restart of the server. */
  readonly url: string;
  /** Pid of the running server; a different one after a restart. */
  readonly pid: number;
  /** Resolves with the reason when the server died and cannot be restarted; never after `stop`. */
  readonly failed: Promise<Error>;
  /** Shuts the server down and releases the data folder. Safe to call twice. */
  stop(): Promise<void>;
}

const maxLogBytes = 10 * 1024 * 1024;
const logCheckMs = 60_000;
const startTries = 5;
/** Backends of a killed server may live on briefly and use its shared memory. */
const retryDelayMs = 500;
const maxRestartsPerMinute = 5;

/**
 * Starts the real PostgreSQL from the data folder, on a free loopback port that it keeps for the next start. Runs as
 * root (the server then runs as an unprivileged user) and as any user. A server that dies is restarted; if this process
 * is killed, a watchdog ends the server within seconds.
 * @throws DataFolderInUse, or an Error that says what to do (version, permissions, platform)
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir);
  makeDataFolder(dataDir);
  const unlock = lockDataFolder(dataDir);
  try {
    const native = options.native ?? installedPostgres();
    const home = locatePostgresHome({ dataDir, native, log: options.log });
    await stopLeftover(home, options.log);
    const password = openCluster(home, options.log);
    return await new Supervisor(home, password, options, unlock).start();
  } catch (error) {
    unlock();
    throw error;
  }
}

/** States: starting → up → (down → up)* → stopped, or failed when it dies too often. */
class Supervisor implements EmbeddedPostgres {
  readonly failed: Promise<Error>;
  private port = 0;
  private server: PostgresProcess | undefined;
  private isStopping = false;
  private restarting: Promise<void> = Promise.resolve();
  private restartedAtMs: readonly number[] = [];
  private logTimer: NodeJS.Timeout | undefined;
  private reportFailure: (error: Error) => void = () => undefined;

  constructor(
    private readonly home: PostgresHome,
    private readonly password: string,
    private readonly options: EmbeddedPostgresOptions,
    private readonly unlock: () => void,
  ) {
    this.failed = new Promise((resolve) => (this.reportFailure = resolve));
  }

  get url(): string {
    return `postgres://postgres:${this.password}@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  async start(): Promise<this> {
    rotateLog(this.home.logFile);
    await this.startOnSomePort();
    this.logTimer = setInterval(() => rotateLog(this.home.logFile), logCheckMs);
    this.logTimer.unref();
    return this;
  }

  async stop(): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    clearInterval(this.logTimer);
    await this.restarting;
    await this.server?.stop();
    this.unlock();
  }

  /** Another program may take the port between the check and the start: then the next port is tried. */
  private async startOnSomePort(): Promise<void> {
    for (let tries = 1; ; tries++) {
      this.port = await usablePort(this.home);
      try {
        await this.startOnPort();
        return;
      } catch (error) {
        if (tries >= startTries) throw error;
        await delay(retryDelayMs);
      }
    }
  }

  private async startOnPort(): Promise<void> {
    const { home, port } = this;
    const server = await startServer({ home, port, settings: this.options.settings });
    this.server = server;
    void server.exited.then((how) => this.onExit(how));
  }

  private onExit(how: string): void {
    if (this.isStopping) return;
    this.options.log(`PostgreSQL ended unexpectedly (${how}); starting it again`);
    this.restarting = this.restart().catch((error: unknown) => this.fail(error));
  }

  /** On the same port, because every pool in the process uses it. */
  private async restart(): Promise<void> {
    for (;;) {
      this.countRestart();
      try {
        return await this.startOnPort();
      } catch (error) {
        if (this.isStopping) return;
        this.options.log(`PostgreSQL did not come back: ${String(error)}`);
        await delay(retryDelayMs * 2 ** this.restartedAtMs.length);
      }
    }
  }

  private countRestart(): void {
    const now = performance.now();
    this.restartedAtMs = [...this.restartedAtMs.filter((at) => now - at < 60_000), now];
    if (this.restartedAtMs.length > maxRestartsPerMinute) {
      throw new Error(
        `PostgreSQL died ${maxRestartsPerMinute} times within a minute; see ${this.home.logFile}`,
      );
    }
  }

  private fail(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    this.options.log(error.message);
    this.reportFailure(error);
  }
}

function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (cause) {
    throw new Error(
      `cannot create the data folder ${dataDir}; set DATA_DIR to a folder this user can write to`,
      {
        cause,
      },
    );
  }
}

/** The port of the last start if it is free, so that connection strings of other programs keep working. */
async function usablePort(home: PostgresHome): Promise<number> {
  const file = path.join(home.dir, 'port');
  const last = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
  const isValid = Number.isInteger(last) && last > 1023 && last < 65_536;
  const port = (isValid ? await tryPort(last) : undefined) ?? (await tryPort(0));
  if (port === undefined) throw new Error('no free port on 127.0.0.1');
  writeFileSync(file, `${port}\n`);
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined)); // taken: the caller tries another
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === 'object' ? address?.port : undefined;
      probe.close(() => resolve(found));
    });
  });
}

/** Keeps the log and one older file, each at most 10 MB plus a minute's output. */
function rotateLog(file: string): void {
  if (!existsSync(file) || statSync(file).size <= maxLogBytes) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
