import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright';
import { lowerSession, readProcesses, tracesOf } from '@app/processes';
import { BrowserLostError, type CrashReason } from './browser-errors.js';
import { chromiumFlags } from './chromium-flags.js';
import { playwright } from './playwright.js';
import { killTree } from './kill-tree.js';
import {
  OWNER_FLAG,
  type OwnerMarker,
  makeScratchFolder,
  removeScratchFolder,
} from './scratch-folder.js';
import { isTakingPicture } from './picture-turns.js';
import { bytesHeard, quietBrowser } from './quiet-browser.js';

export interface ChromiumOptions {
  readonly executablePath: string;
  readonly refusingUrl: string;
  readonly isSandboxed: boolean;
  /** Of what is no page; pages have an identity each. Null: Chromium's own. */
  readonly userAgent: string | null;
  readonly maxHeapMiB: number;
  readonly launchTimeoutMs: number;
  readonly closeTimeoutMs: number;
  readonly scratchRoot: string;
  readonly owner: OwnerMarker;
}

/**
 * One Chromium: its process group, its scratch folder and the pipe to it. It ends in one of two
 * ways, `close` by us or lost; either way the whole tree is gone and the folder removed when `gone`
 * resolves.
 */
export class ChromiumProcess {
  readonly startedAtMs = performance.now();
  /** Pages it has served or serves. */
  pagesServed = 0;
  /** Pages open at the moment. */
  busy = 0;
  /** Page slots on it, taken or not. */
  slots = 0;
  lastSeenMs = performance.now();
  residentBytes = 0;
  processes = { live: 0, zombie: 0 };
  isRetiring = false;
  lostReason: CrashReason | null = null;

  /** Resolves when it ended without our closing it. Never rejects. */
  readonly lost: Promise<CrashReason>;
  private tellLost: (reason: CrashReason) => void = () => undefined;
  private ending: Promise<void> | null = null;
  private probing: Promise<boolean> | null = null;
  /** It disconnected by itself, and the cause is being found: closing it now waits for that. */
  private noticing: Promise<void> | null = null;

  private constructor(
    readonly browser: Browser,
    private readonly control: CDPSession,
    readonly groupId: number,
    private readonly scratch: string,
    private readonly oomKillsAtStart: number,
    private readonly closeTimeoutMs: number,
  ) {
    this.lost = new Promise((resolve) => (this.tellLost = resolve));
    browser.once('disconnected', () => {
      if (this.ending === null) this.noticing = this.noteDisconnect();
    });
  }

  static async start(options: ChromiumOptions): Promise<ChromiumProcess> {
    const scratch = await makeScratchFolder(options.scratchRoot, options.owner);
    try {
      const browser = await launch(options, scratch);
      const { control, groupId } = await acquaint(browser, options.launchTimeoutMs);
      await lowerSession(groupId);
      const oomKills = await countOomKills();
      // From here on its end is listened to; one that came before would never be heard of.
      if (!browser.isConnected()) throw new Error(ENDED_EARLY);
      const { closeTimeoutMs } = options;
      return new ChromiumProcess(browser, control, groupId, scratch, oomKills, closeTimeoutMs);
    } catch (error) {
      await endByScratch(scratch);
      throw error;
    }
  }

  get version(): string {
    return this.browser.version();
  }

  get isUsable(): boolean {
    return this.ending === null && !this.isRetiring && this.browser.isConnected();
  }

  get isEnding(): boolean {
    return this.ending !== null;
  }

  get ageMs(): number {
    return performance.now() - this.startedAtMs;
  }

  /** Whether it responds; one that does not is killed. One probe at a time: a large picture may hold it up for long. */
  probe(boundMs: number): Promise<boolean> {
    this.probing ??= this.sendProbe(boundMs).finally(() => (this.probing = null));
    return this.probing;
  }

  private async sendProbe(boundMs: number): Promise<boolean> {
    let heard = bytesHeard(this.browser);
    // Behind a flood of what a page logs, the response waits for its turn in the pipe.
    const hasSpoken = (): boolean => {
      const before = heard;
      heard = bytesHeard(this.browser);
      return heard > before;
    };
    try {
      const response = this.control.send('Browser.getVersion');
      const late = () => new Error('No response to a probe');
      await this.withinBound(response, boundMs, late, hasSpoken);
      this.lastSeenMs = performance.now();
      return true;
    } catch {
      // Silent or gone: both end it. A disconnect has reported its own reason already.
      await this.kill('unresponsive');
      return false;
    }
  }

  /**
   * Like the function of that name; time in which a large picture is taken does not count.
   * @param isAtWork asked at the end of a bound, which is followed by another if so. @default never
   */
  async withinBound<T>(
    work: Promise<T>,
    boundMs: number,
    late: () => Error,
    isAtWork: () => boolean = () => false,
  ): Promise<T> {
    for (let bounds = 1; ; bounds++) {
      const isDrawing = isTakingPicture(this.browser);
      try {
        return await withinBound(work, boundMs, () => new Late());
      } catch (error) {
        if (!(error instanceof Late)) throw error;
        // This process may be what is late: then there is something to read.
        await nextTurn();
        const wasAtWork = isAtWork() || isDrawing || isTakingPicture(this.browser);
        if (!wasAtWork || bounds === MAX_BOUNDS) throw late();
      }
    }
  }

  /** In order: pages are closed, the profile is left alone, then the process tree ends. */
  close(): Promise<void> {
    if (this.ending === null && this.noticing !== null) return this.noticing;
    this.ending ??= this.endOrderly();
    return this.ending;
  }

  /** At once, whatever it does. */
  kill(reason: CrashReason): Promise<void> {
    if (this.ending === null) {
      this.lostReason = reason;
      this.tellLost(reason);
      this.ending = this.end(0);
    }
    return this.ending;
  }

  lostError(phase: BrowserLostError['phase'], cause?: unknown): BrowserLostError {
    return new BrowserLostError(this.lostReason ?? 'disconnected', phase, { cause });
  }

  private async endOrderly(): Promise<void> {
    const closed = this.browser.close();
    const late = () => new Error('The browser did not close');
    // Whether it closed or not, the tree is ended next.
    await withinBound(closed, this.closeTimeoutMs, late).catch(() => undefined);
    await this.end(this.closeTimeoutMs);
  }

  private async end(graceMs: number): Promise<void> {
    await killTree(this.groupId, graceMs);
    // Lets Playwright see the end of the pipe and remove its own listeners.
    const late = () => new Error('The pipe did not close');
    await withinBound(this.browser.close(), this.closeTimeoutMs, late).catch(() => undefined);
    await removeScratchFolder(this.scratch);
  }

  private async noteDisconnect(): Promise<void> {
    const reason = await this.whyGone();
    await this.kill(reason);
  }

  private async whyGone(): Promise<CrashReason> {
    if ((await countOomKills()) > this.oomKillsAtStart) return 'oom';
    const rows = await readProcesses();
    const isThere = rows.some(({ pid, isZombie }) => pid === this.groupId && !isZombie);
    return isThere ? 'disconnected' : 'signal';
  }
}

async function launch(options: ChromiumOptions, scratch: string): Promise<Browser> {
  const userDataDir = profileIn(scratch);
  // As a persistent context because only then is the profile where we say; its pages are not used.
  const context = await playwright().chromium.launchPersistentContext(userDataDir, {
    executablePath: options.executablePath,
    artifactsDir: scratch,
    ignoreDefaultArgs: true,
    args: chromiumFlags({
      ...options,
      userDataDir,
      ownerFlag: OWNER_FLAG + options.owner.text,
    }),
    timeout: options.launchTimeoutMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: browserEnvironment(scratch),
  });
  const browser = context.browser();
  if (browser === null) throw new Error('Playwright gave no browser for its context');
  quietBrowser(browser);
  return browser;
}

const ENDED_EARLY = 'Chromium ended while it was starting';

/**
 * A browser that dies now leaves commands without a response: a launch that waits for one never
 * ends.
 */
async function acquaint(
  browser: Browser,
  boundMs: number,
): Promise<{ readonly control: CDPSession; readonly groupId: number }> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new Error(ENDED_EARLY));
  browser.once('disconnected', fail);
  // Heard below, or not needed any more.
  ended.catch(() => undefined);
  if (!browser.isConnected()) fail();
  const ask = async () => {
    const control = await browser.newBrowserCDPSession();
    return { control, groupId: await groupOf(control) };
  };
  try {
    const asked = Promise.race([ask(), ended]);
    return await withinBound(
      asked,
      boundMs,
      () => new Error('Chromium started but does not respond'),
    );
  } finally {
    browser.off('disconnected', fail);
  }
}

/** Inherits nothing from this process: no secrets, and no folder but its own to write to. */
function browserEnvironment(scratch: string): Record<string, string> {
  return {
    HOME: scratch,
    TMPDIR: scratch,
    XDG_CACHE_HOME: path.join(scratch, 'cache'),
    XDG_CONFIG_HOME: path.join(scratch, 'config'),
    XDG_RUNTIME_DIR: scratch,
    DBUS_SESSION_BUS_ADDRESS: '/dev/null',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
  };
}

async function groupOf(control: CDPSession): Promise<number> {
  const { processInfo } = await control.send('SystemInfo.getProcessInfo');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0;
  const row = (await readProcesses()).find((one) => one.pid === pid);
  if (row === undefined) throw new Error('The browser process was not found');
  return row.groupId;
}

/** A launch that failed half-way: what it started leads a group and is known by its profile. */
async function endByScratch(scratch: string): Promise<void> {
  const mark = `--user-data-dir=${profileIn(scratch)}`;
  for (const { pid, groupId } of await readProcesses()) {
    if (pid === groupId && (await tracesOf(pid)).includes(mark)) await killTree(groupId, 0);
  }
  await removeScratchFolder(scratch);
}

function profileIn(scratch: string): string {
  return path.join(scratch, 'profile');
}

/** Processes the kernel ended for want of memory, in our control group; 0 where it does not say. */
async function countOomKills(): Promise<number> {
  try {
    const events = await readFile('/sys/fs/cgroup/memory.events', 'utf8');
    return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0);
  } catch {
    // Not Linux, or the older control groups.
    return 0;
  }
}

class Late extends Error {}

/** A browser of which one large picture is taken after the other, or that speaks all the time, is given up after so many bounds. */
const MAX_BOUNDS = 12;

/** The promise's value, or `late()` thrown once `boundMs` have passed; what comes after is dropped. */
export async function withinBound<T>(
  promise: Promise<T>,
  boundMs: number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), boundMs);
  });
  try {
    return await Promise.race([promise, bound]);
  } finally {
    clearTimeout(timer);
  }
}
