import { setTimeout as pause } from 'node:timers/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BrowserUnavailableError } from './browser-errors.js';
import { ChromiumProcess } from './chromium-process.js';
import { ownMarker, type OwnerMarker, freeMiB } from './scratch-folder.js';
import { pageIdentity } from './browser-identity.js';
import type { LaunchResult } from './pool-events.js';
import type { PoolSettings } from './pool-options.js';

const TRIES = 3;
const FIRST_PAUSE_MS = 200;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

/**
 * Starts browsers. A launch is tried three times; when all fail, none is tried for a while that
 * doubles up to a minute, and requests are refused at once meanwhile.
 */
export class ChromiumLauncher {
  private readonly owner: Promise<OwnerMarker> = ownMarker();
  private readonly stop = new AbortController();
  private userAgent: Promise<string | null> | null = null;
  private isSandboxed: boolean | null = null;
  private failedSeries = 0;
  private restsUntilMs = 0;
  private lastFailure: unknown = null;

  constructor(
    private readonly settings: PoolSettings,
    private readonly onCrash: () => void,
  ) {}

  /** @throws BrowserUnavailableError */
  async launch(): Promise<ChromiumProcess> {
    await this.requireDisk();
    const restMs = this.restsUntilMs - performance.now();
    if (restMs > 0) throw this.unavailable(restMs);
    for (let attempt = 1; attempt <= TRIES && !this.stop.signal.aborted; attempt++) {
      if (attempt > 1) await this.pauseBefore(attempt);
      const started = await this.tryLaunch();
      if (started !== null) return started;
    }
    const nextRestMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** this.failedSeries++);
    this.restsUntilMs = performance.now() + nextRestMs;
    throw this.unavailable(nextRestMs);
  }

  /** No further tries; one under way ends by itself. */
  close(): void {
    this.stop.abort();
  }

  private async tryLaunch(): Promise<ChromiumProcess | null> {
    const startedAtMs = performance.now();
    const report = (result: LaunchResult) =>
      this.settings.events.onLaunch?.(result, performance.now() - startedAtMs);
    try {
      const started = await this.startSandboxedOrNot();
      this.failedSeries = 0;
      report({ ok: true, version: started.version });
      return started;
    } catch (error) {
      this.lastFailure = error;
      this.onCrash();
      report({ ok: false, problem: launchFailure(error) });
      return null;
    }
  }

  private async startSandboxedOrNot(): Promise<ChromiumProcess> {
    const { sandbox } = this.settings;
    if (this.isSandboxed !== null) return this.start(this.isSandboxed);
    if (sandbox === 'off') return this.settle(false, 'switched off by setting');
    if (sandbox === 'on') return this.settle(true, 'required by the setting');
    if (process.getuid?.() === 0) {
      return this.settle(false, 'Chromium has no sandbox for root: run as another user');
    }
    try {
      return await this.settle(true, 'the machine allows it');
    } catch (error) {
      const why = `it did not start with its sandbox (${launchFailure(error)})`;
      return this.settle(false, `${why}: allow unprivileged user namespaces`);
    }
  }

  private async settle(isOn: boolean, reason: string): Promise<ChromiumProcess> {
    const started = await this.start(isOn);
    this.isSandboxed = isOn;
    this.settings.events.onSandbox?.(isOn, reason);
    return started;
  }

  private async start(isSandboxed: boolean): Promise<ChromiumProcess> {
    this.userAgent ??= this.findUserAgent();
    const userAgent = await this.userAgent;
    const owner = await this.owner;
    return ChromiumProcess.start({ ...this.settings, isSandboxed, userAgent, owner });
  }

  /** Names us, as pages do that need not look like a person's. */
  private async findUserAgent(): Promise<string | null> {
    const { executablePath, userAgentSuffix } = this.settings;
    const version = await chromiumVersion(executablePath);
    const look = { country: null, stealth: false, mobile: false };
    return version === null ? null : pageIdentity(look, version, userAgentSuffix).userAgent;
  }

  private async requireDisk(): Promise<void> {
    const { scratchRoot, minFreeMiB } = this.settings;
    const free = await freeMiB(scratchRoot);
    if (free >= minFreeMiB) return;
    const text = `Only ${Math.floor(free)} MiB of disk are free for browsers, ${minFreeMiB} are needed`;
    throw new BrowserUnavailableError('disk', text, 0);
  }

  private async pauseBefore(attempt: number): Promise<void> {
    const ms = FIRST_PAUSE_MS * 2 ** (attempt - 2) * (0.5 + Math.random());
    const { signal } = this.stop;
    // Aborted when the pool closes: the loop ends then.
    await pause(ms, undefined, { signal }).catch(() => undefined);
  }

  private unavailable(retryAfterMs: number): BrowserUnavailableError {
    const { executablePath } = this.settings;
    const text = `${executablePath} does not start: ${launchFailure(this.lastFailure)}`;
    return new BrowserUnavailableError('launch', text, Math.ceil(retryAfterMs), {
      cause: this.lastFailure,
    });
  }
}

const TIMEOUT_MS = 10_000;

/** `156.0.8078.79`, by the program's own word; null when it does not say. */
async function chromiumVersion(executablePath: string): Promise<string | null> {
  try {
    const options = { timeout: TIMEOUT_MS, env: { PATH: '/usr/local/bin:/usr/bin:/bin' } };
    const { stdout } = await promisify(execFile)(executablePath, ['--version'], options);
    return /\b\d+(?:\.\d+){3}\b/.exec(stdout)?.[0] ?? null;
  } catch {
    // It does not run: the launch that follows says why.
    return null;
  }
}

/** A line of Chromium's standard error, as Playwright quotes it: `[pid=7][err] [date:LEVEL:file] text`. */
const LOG_LINE = /\[pid=\d+\]\[err\] (?:\[[^\]]*?(?<level>FATAL|ERROR)[^\]]*\] )?(?<text>.*)/;
const MAX_CHARS = 300;

/** Why Chromium did not start, in one line: by its own words if it said any, else by Playwright's. */
export function launchFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const said = text.split('\n').flatMap(logLine);
  const gravest =
    said.find((line) => /sandbox/i.test(line.text)) ??
    said.find(({ level }) => level === 'FATAL') ??
    said.find(({ level }) => level === 'ERROR') ??
    said[0];
  const exitCode = /<process did exit: exitCode=(\d+)/.exec(text)?.[1];
  const silent = exitCode && `it ended with exit code ${exitCode} and reported nothing`;
  const reason = gravest?.text ?? silent ?? text.split('\n', 1)[0]?.replace(CALL, '') ?? text;
  return reason.replaceAll(ANSI_COLOURS, '').slice(0, MAX_CHARS);
}

function logLine(line: string): { readonly level: string | undefined; readonly text: string }[] {
  const groups = LOG_LINE.exec(line)?.groups;
  return groups === undefined ? [] : [{ level: groups['level'], text: groups['text'] ?? '' }];
}

const CALL = /^browserType\.\w+: /;
const ANSI_COLOURS = /\u001b\[\d*m/g;
