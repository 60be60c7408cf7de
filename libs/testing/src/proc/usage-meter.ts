import { type ProcStat, readProcFile } from '@app/processes';
import { listProcesses } from './process-table.js';

export interface UsageMeterOptions {
  /** Pause between two readings of CPU and RSS. @default 200 */
  readonly intervalMs?: number;
  /** Each n-th reading takes PSS too, which costs the kernel a walk over all pages. @default 5 */
  readonly pssEvery?: number;
}

export interface ResourceUsage {
  /** CPU milliseconds since the meter started, by part. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly totalCpuMs: number;
  /**
   * Peak of the sum over all processes. RSS counts shared pages once per process, PSS shares them
   * out.
   */
  readonly peakRssBytes: number;
  readonly peakPssBytes: number;
  readonly peakProcesses: number;
}

interface Followed {
  readonly part: string;
  readonly first: number;
  last: ProcStat;
}

/**
 * CPU and memory of whole process trees, by part ("api", "database").
 *
 * A live process counts with its own CPU plus that of the children it has reaped, so a child that
 * starts and ends between two looks is still counted, in its parent. A process once seen is
 * followed even when its parent dies first; what such an orphan used is kept from the last reading
 * of it.
 */
export class UsageMeter {
  private readonly followed = new Map<string, Followed>();
  private readonly endedMs = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;
  private peakRss = 0;
  private peakPss = 0;
  private peakCount = 0;

  private constructor(
    private readonly roots: Readonly<Record<string, readonly number[]>>,
    private readonly pssEvery: number,
  ) {}

  /** Starts to measure the trees below (and with) the root processes of each part. Linux only. */
  static start(
    roots: Readonly<Record<string, readonly number[]>>,
    { intervalMs = 200, pssEvery = 5 }: UsageMeterOptions = {},
  ): UsageMeter {
    const meter = new UsageMeter(roots, pssEvery);
    meter.look(true);
    meter.timer = setInterval(() => meter.look(), intervalMs);
    return meter;
  }

  /** Usage up to now. */
  read(): ResourceUsage {
    this.look();
    const cpuMs: Record<string, number> = {};
    for (const part of Object.keys(this.roots)) cpuMs[part] = this.endedMs.get(part) ?? 0;
    for (const { part, first, last } of this.followed.values()) {
      cpuMs[part] = (cpuMs[part] ?? 0) + cpuOf(last) - first;
    }
    return {
      cpuMs,
      totalCpuMs: Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0),
      peakRssBytes: this.peakRss,
      peakPssBytes: this.peakPss,
      peakProcesses: this.peakCount,
    };
  }

  stop(): ResourceUsage {
    clearInterval(this.timer);
    // A run shorter than the pause between two PSS readings gets one at least here.
    this.looks = 0;
    return this.read();
  }

  private look(isFirst = false): void {
    const table = listProcesses().filter((entry) => entry.state !== 'Z');
    const live = new Map(table.map((entry) => [identity(entry), entry]));
    this.retireEnded(live);
    for (const [part, pids] of Object.entries(this.roots)) this.follow(part, pids, table, isFirst);
    this.measureMemory();
  }

  private follow(
    part: string,
    rootPids: readonly number[],
    table: readonly ProcStat[],
    isFirst: boolean,
  ): void {
    const inTree = new Set(rootPids);
    for (const { part: owner, last } of this.followed.values()) {
      if (owner === part) inTree.add(last.pid);
    }
    for (let grew = true; grew;) {
      const before = inTree.size;
      for (const entry of table) if (inTree.has(entry.parentPid)) inTree.add(entry.pid);
      grew = inTree.size > before;
    }
    for (const entry of table) if (inTree.has(entry.pid)) this.update(part, entry, isFirst);
  }

  private update(part: string, entry: ProcStat, isFirst: boolean): void {
    const key = identity(entry);
    const known = this.followed.get(key);
    if (known !== undefined) known.last = entry;
    // What ran before the meter started is not its business; a later comer counts from its birth.
    else this.followed.set(key, { part, first: isFirst ? cpuOf(entry) : 0, last: entry });
  }

  /**
   * Forgets what ended. With a living followed parent its CPU is in the parent's reaped time from
   * now on (so only what it used before the meter began has to come off); else the last look is.
   */
  private retireEnded(live: ReadonlyMap<string, ProcStat>): void {
    const livePids = new Set([...live.values()].map((entry) => entry.pid));
    const followedPids = new Map([...this.followed.values()].map((one) => [one.last.pid, one]));
    for (const [key, { part, first, last }] of this.followed) {
      if (live.has(key)) continue;
      const isReaped = hasLivingAncestor(last, followedPids, livePids);
      const usedMs = isReaped ? -first : cpuOf(last) - first;
      this.endedMs.set(part, (this.endedMs.get(part) ?? 0) + usedMs);
      this.followed.delete(key);
    }
  }

  private measureMemory(): void {
    const pids = [...this.followed.values()].map(({ last }) => last.pid);
    this.peakCount = Math.max(this.peakCount, pids.length);
    this.peakRss = Math.max(this.peakRss, sum(pids, residentBytes));
    if (this.looks++ % this.pssEvery === 0) {
      this.peakPss = Math.max(this.peakPss, sum(pids, proportionalBytes));
    }
  }
}

function identity({ pid, startTicks }: ProcStat): string {
  return `${pid}/${startTicks}`;
}

function cpuOf({ ownCpuMs, reapedCpuMs }: ProcStat): number {
  return ownCpuMs + reapedCpuMs;
}

function hasLivingAncestor(
  entry: ProcStat,
  followed: ReadonlyMap<number, Followed>,
  livePids: ReadonlySet<number>,
): boolean {
  for (let up = followed.get(entry.parentPid); up; up = followed.get(up.last.parentPid)) {
    if (livePids.has(up.last.pid)) return true;
  }
  return false;
}

function sum(pids: readonly number[], bytesOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + bytesOf(pid), 0);
}

function residentBytes(pid: number): number {
  return kilobytesIn(readProcFile(`/proc/${pid}/status`), /^VmRSS:\s+(\d+) kB/m);
}

function proportionalBytes(pid: number): number {
  return kilobytesIn(readProcFile(`/proc/${pid}/smaps_rollup`), /^Pss:\s+(\d+) kB/m);
}

function kilobytesIn(text: string | null, line: RegExp): number {
  return Number(text?.match(line)?.[1] ?? 0) * 1_024;
}
