import { stat, statfs } from 'node:fs/promises';
import { BrowserUnavailableError } from './browser-errors.js';
import { ChromiumLauncher } from './chromium-launcher.js';
import type { ChromiumProcess } from './chromium-process.js';
import { signalProcess } from './kill-tree.js';
import type { BrowserPoolSnapshot, RecycleReason } from './pool-events.js';
import { type PoolSettings, slotsPerBrowser } from './pool-options.js';
import { type ProcessRow, readProcesses, residentBytes, tracesOf, treeOf } from '@app/processes';

const MIB = 1024 ** 2;
/** Assumed memory of a further browser before it is measured. */
const NEW_BROWSER_MIB = 200;
/** A busy browser that was heard of lately need not be asked. */
const PROBE_AFTER_MS = 5_000;
/** A page process that holds less is not what makes its browser too large. */
const HEAVY_PAGE_BYTES = 256 * MIB;

/**
 * The browsers: launches them as page slots are requested, watches their health and memory, and
 * retires those that have served their share of pages. A retiring browser finishes its pages; one
 * at a time may run beside its replacement.
 */
export class BrowserFleet {
  readonly all = new Set<ChromiumProcess>();
  private readonly launcher: ChromiumLauncher;
  private readonly launching = new Map<Promise<ChromiumProcess>, { slots: number }>();
  private looker: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly settings: PoolSettings,
    /** Page slots may have become free or been lost. */
    private readonly onChange: () => void,
  ) {
    this.launcher = new ChromiumLauncher(settings, () => settings.events.onCrash?.('launch'));
  }

  get launchingCount(): number {
    return this.launching.size;
  }

  /** Pages that a tenant alone may have open at once now, in running browsers and those that may still be launched. */
  get capacity(): number {
    return this.possible * this.settings.pagesPerBrowser;
  }

  /** Page slots of the same browsers. */
  get slots(): number {
    return this.possible * slotsPerBrowser(this.settings);
  }

  private get possible(): number {
    const standing = this.usable.length + this.launching.size;
    return this.mayLaunch() ? this.settings.maxBrowsers : standing;
  }

  /**
   * A browser with room for one more page slot, launched if need be; null when memory forbids it.
   * @throws BrowserUnavailableError
   */
  async takeSlot(): Promise<ChromiumProcess | null> {
    const found = this.slotBelow(this.settings.pagesPerBrowser);
    if (found !== null) return found;
    // Those beyond the share of one tenant come last.
    if (!this.mayLaunch()) return this.slotBelow(slotsPerBrowser(this.settings));
    const [launch, promised] = this.launch();
    promised.slots++;
    return launch;
  }

  /** A slot of a browser that has fewer than `most`. */
  private slotBelow(most: number): ChromiumProcess | Promise<ChromiumProcess> | null {
    const roomy = this.usable.find(({ slots }) => slots < most);
    if (roomy !== undefined) {
      roomy.slots++;
      return roomy;
    }
    const [launch, promised] = [...this.launching].find(([, { slots }]) => slots < most) ?? [];
    if (launch === undefined || promised === undefined) return null;
    promised.slots++;
    return launch;
  }

  /** Frees a page slot; a browser without slots is closed. */
  releaseSlot(chromium: ChromiumProcess): Promise<void> {
    chromium.slots--;
    if (chromium.slots > 0) return Promise.resolve();
    if (chromium.isUsable) this.retire(chromium, 'idle');
    // Off the list as well: one that stays on it for ever keeps others from being launched.
    return chromium.isEnding ? Promise.resolve() : this.forget(chromium);
  }

  /** A page of it begins. */
  enter(chromium: ChromiumProcess): void {
    chromium.busy++;
    chromium.pagesServed++;
  }

  /** A page of it has ended: it may have done its share. */
  leave(chromium: ChromiumProcess): void {
    chromium.busy--;
    chromium.lastSeenMs = performance.now();
    if (chromium.isUsable) {
      const reason = this.reasonToRetire(chromium);
      if (reason !== null) this.retire(chromium, reason);
    }
    this.closeIfDone(chromium);
  }

  retire(chromium: ChromiumProcess, reason: RecycleReason): void {
    if (!chromium.isUsable) return;
    chromium.isRetiring = true;
    this.settings.events.onRecycle?.(reason);
    this.closeIfDone(chromium);
    this.onChange();
  }

  isFit(chromium: ChromiumProcess): Promise<boolean> {
    if (!chromium.isUsable) return Promise.resolve(false);
    if (performance.now() - chromium.lastSeenMs < PROBE_AFTER_MS) return Promise.resolve(true);
    return chromium.probe(this.settings.probeTimeoutMs);
  }

  /** `kill`: with pages at work, which fail as lost. */
  async close(how: 'close' | 'kill'): Promise<void> {
    this.isClosed = true;
    this.launcher.close();
    const end = (chromium: ChromiumProcess) =>
      how === 'kill' ? chromium.kill('disconnected') : chromium.close();
    await Promise.allSettled([...this.all].map(end));
    await Promise.allSettled(this.launching.keys());
    clearTimeout(this.looker);
  }

  private get usable(): ChromiumProcess[] {
    return [...this.all].filter(({ isUsable }) => isUsable);
  }

  private mayLaunch(): boolean {
    const { maxBrowsers, maxTotalRssMiB } = this.settings;
    const standing = this.usable.length + this.launching.size;
    if (this.isClosed || standing >= maxBrowsers) return false;
    const processes = this.all.size + this.launching.size;
    if (processes > maxBrowsers) return false;
    if (processes === 0) return true;
    const held = [...this.all].reduce((sum, one) => sum + one.residentBytes, 0) / MIB;
    return held + (this.launching.size + 1) * NEW_BROWSER_MIB <= maxTotalRssMiB;
  }

  private launch(): [Promise<ChromiumProcess>, { slots: number }] {
    const promised = { slots: 0 };
    const launch = this.launcher.launch().then((chromium) => {
      this.launching.delete(launch);
      return this.admit(chromium, promised.slots);
    });
    this.launching.set(launch, promised);
    // The page slots that wait for it get the failure; this only takes it off the list.
    launch.catch(() => this.launching.delete(launch));
    return [launch, promised];
  }

  private async admit(chromium: ChromiumProcess, slots: number): Promise<ChromiumProcess> {
    if (this.isClosed) {
      await chromium.close();
      throw new BrowserUnavailableError('launch', 'The browser pool is closed', 0);
    }
    chromium.slots = slots;
    this.all.add(chromium);
    void chromium.lost.then((reason) => {
      if (!this.isClosed) this.settings.events.onCrash?.(reason);
      void this.forget(chromium);
    });
    this.lookSoon();
    return chromium;
  }

  private closeIfDone(chromium: ChromiumProcess): void {
    if (chromium.isRetiring && chromium.busy === 0) void this.forget(chromium);
  }

  /** Off the list when its processes are gone: until then they count. */
  private async forget(chromium: ChromiumProcess): Promise<void> {
    await chromium.close();
    this.all.delete(chromium);
    this.onChange();
  }

  private reasonToRetire(chromium: ChromiumProcess): RecycleReason | null {
    const { maxPagesPerBrowser, maxBrowserAgeMs, maxRssMiB } = this.settings;
    if (chromium.pagesServed >= maxPagesPerBrowser) return 'pages';
    if (chromium.ageMs >= maxBrowserAgeMs) return 'age';
    return chromium.residentBytes > maxRssMiB * MIB ? 'rss' : null;
  }

  private lookSoon(): void {
    this.looker ??= setTimeout(() => {
      void this.look().finally(() => {
        this.looker = undefined;
        if (!this.isClosed && this.all.size > 0) this.lookSoon();
      });
    }, this.settings.lookEveryMs);
    this.looker.unref();
  }

  private async look(): Promise<void> {
    const rows = await readProcesses();
    for (const chromium of this.all) {
      const tree = treeOf(chromium.groupId, rows);
      const living = tree.filter(({ isZombie }) => !isZombie);
      chromium.residentBytes = residentBytes(living);
      chromium.processes = { live: living.length, zombie: tree.length - living.length };
      await this.judge(chromium, living);
    }
    this.onChange();
  }

  private async judge(chromium: ChromiumProcess, living: readonly ProcessRow[]): Promise<void> {
    if (chromium.isEnding) return;
    if (chromium.residentBytes > this.settings.killRssMiB * MIB) {
      if (!(await endHeaviestPage(living)) && !chromium.isEnding) void chromium.kill('oom');
    } else if (chromium.isUsable) {
      const reason = this.reasonToRetire(chromium);
      if (reason !== null) this.retire(chromium, reason);
    }
    if (performance.now() - chromium.lastSeenMs > PROBE_AFTER_MS) {
      void chromium.probe(this.settings.probeTimeoutMs);
    }
  }
}

/**
 * Ends the renderer that holds the most: its page crashes, and those of other tenants, which never share a renderer with
 * it, go on. False: none holds much.
 */
export async function endHeaviestPage(processes: readonly ProcessRow[]): Promise<boolean> {
  const byWeight = processes
    .filter(({ ownBytes, sharedBytes }) => ownBytes + sharedBytes > HEAVY_PAGE_BYTES)
    .sort((one, other) => other.ownBytes + other.sharedBytes - one.ownBytes - one.sharedBytes);
  for (const { pid } of byWeight) {
    const traces = await tracesOf(pid);
    // It ended after it was measured: what is left is for the next look.
    if (!traces.some((word) => word !== '')) return true;
    if (!traces.includes('--type=renderer')) continue;
    signalProcess(pid, 'SIGKILL');
    return true;
  }
  return false;
}

/** The gauges of this moment. */
export async function takeSnapshot(
  fleet: BrowserFleet,
  slotAllocator: Pick<BrowserPoolSnapshot, 'waiters' | 'contextsKept'>,
): Promise<BrowserPoolSnapshot> {
  const browsers = [...fleet.all];
  const bytes = browsers.map(({ residentBytes }) => residentBytes);
  const live = browsers.filter(({ isUsable }) => isUsable);
  const busy = live.filter((chromium) => chromium.busy > 0).length;
  return {
    instances: {
      idle: live.length - busy,
      busy,
      launching: fleet.launchingCount,
      retiring: browsers.length - live.length,
    },
    capacity: fleet.capacity,
    waiters: slotAllocator.waiters,
    pagesOpen: sum(browsers.map((chromium) => chromium.busy)),
    contextsKept: slotAllocator.contextsKept,
    residentBytes: { sum: sum(bytes), max: Math.max(0, ...bytes) },
    processes: {
      live: sum(browsers.map(({ processes }) => processes.live)),
      zombie: sum(browsers.map(({ processes }) => processes.zombie)),
    },
    sharedMemoryBytes: await sharedMemoryBytes(),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

async function sharedMemoryBytes(): Promise<number | null> {
  try {
    await stat('/dev/shm');
    const { blocks, bfree, bsize } = await statfs('/dev/shm');
    return (blocks - bfree) * bsize;
  } catch {
    // Not on this system.
    return null;
  }
}
