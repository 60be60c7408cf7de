import { setTimeout as pause } from 'node:timers/promises';
import { BrowserUnavailableError } from './browser-errors.js';
import { ChromiumProcess } from './chromium-process.js';
import { ownMarker, type OwnerMarker } from './owner-marker.js';
import { chromiumVersion } from './chromium-version.js';
import { launchFailure } from './launch-failure.js';
import { pageIdentity } from './browser-identity.js';
import type { LaunchResult } from './pool-events.js';
import type { PoolSettings } from './pool-options.js';
import { freeMiB } from './scratch-folder.js';

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
