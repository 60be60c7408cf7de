import { readFileSync } from 'node:fs';

/** Jiffies of all processors together since boot, from /proc/stat. */
export interface MachineTimes {
  readonly idle: number;
  readonly total: number;
}

export function readMachineTimes(text = readFileSync('/proc/stat', 'utf8')): MachineTimes {
  const line = text.split('\n')[0] ?? '';
  // user nice system idle iowait irq softirq steal; guest time is in user already (proc(5)).
  const times = line.split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle = 0, ioWait = 0] = times;
  return { idle: idle + ioWait, total: times.reduce((sum, time) => sum + time, 0) };
}

/** Share of the whole machine that was idle between two readings, 0 to 1. */
export function idleShare(from: MachineTimes, to: MachineTimes): number {
  const total = to.total - from.total;
  return total <= 0 ? 0 : (to.idle - from.idle) / total;
}
