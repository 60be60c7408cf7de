import path from 'node:path';
import { readProcFile } from './proc-files.js';

/** Memory of the container (control group) this process runs in, in bytes. */
export interface ContainerMemory {
  readonly limit: number;
  /** Of all its processes, without the file cache that the kernel drops first: what an out-of-memory kill compares. */
  readonly used: number;
}

interface Hierarchy {
  readonly mount: string;
  /** Line of /proc/self/cgroup that names the group. */
  readonly line: RegExp;
  readonly limit: string;
  readonly used: string;
  readonly dropped: RegExp;
}

/** Version 2, then version 1 (cgroups(7), kernel documentation "Memory Resource Controller"). */
const HIERARCHIES: readonly Hierarchy[] = [
  {
    mount: 'sys/fs/cgroup',
    line: /^0::(\/.*)$/m,
    limit: 'memory.max',
    used: 'memory.current',
    dropped: /^inactive_file (\d+)$/m,
  },
  {
    mount: 'sys/fs/cgroup/memory',
    line: /^\d+:memory:(\/.*)$/m,
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    dropped: /^total_inactive_file (\d+)$/m,
  },
];
/** Version 1 writes "no limit" as the largest multiple of a page. */
const NO_LIMIT = 2 ** 60;

/** Null without a limit, and on systems without control groups. */
export function containerMemory(root = '/'): ContainerMemory | null {
  const groups = readProcFile(path.join(root, 'proc/self/cgroup')) ?? '';
  for (const hierarchy of HIERARCHIES) {
    const group = hierarchy.line.exec(groups)?.[1];
    const memory = group === undefined ? null : nearestLimit(root, hierarchy, group);
    if (memory !== null) return memory;
  }
  return null;
}

/** A container sees its own group as the root of the tree, with or without the path it has outside. */
function nearestLimit(root: string, hierarchy: Hierarchy, group: string): ContainerMemory | null {
  for (let at = group; ; at = path.dirname(at)) {
    const memory = memoryOf(path.join(root, hierarchy.mount, at), hierarchy);
    if (memory !== null || at === '/') return memory;
  }
}

function memoryOf(folder: string, { limit, used, dropped }: Hierarchy): ContainerMemory | null {
  const read = (name: string): string => readProcFile(path.join(folder, name)) ?? '';
  const bytes = Number.parseInt(read(limit), 10);
  if (!(bytes < NO_LIMIT)) return null;
  const cache = Number(dropped.exec(read('memory.stat'))?.[1] ?? 0);
  return { limit: bytes, used: Number.parseInt(read(used), 10) - cache };
}
