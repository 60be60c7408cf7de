import { readdirSync, readlinkSync } from 'node:fs';
import { readProcFile } from '@app/processes';
import { listProcesses } from './process-table.js';

const LISTEN_STATE = '0A';

/** The process that listens on a local TCP port, or null; needs the right to look into it. */
export function listeningPid(port: number): number | null {
  const inodes = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => inodesOf(file, port)),
  );
  if (inodes.size === 0) return null;
  // The oldest holder is the server; its workers inherit the socket.
  const table = [...listProcesses()].sort((a, b) => a.startTicks - b.startTicks);
  return table.find(({ pid }) => holdsSocket(pid, inodes))?.pid ?? null;
}

function inodesOf(file: string, port: number): readonly string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = (readProcFile(file) ?? '').split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTEN_STATE && local?.endsWith(`:${hexPort}`))
    .map((columns) => `socket:[${columns[9]}]`);
}

function holdsSocket(pid: number, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => inodes.has(linkOf(`/proc/${pid}/fd/${fd}`)));
  } catch {
    // Ended meanwhile, or another user's: then it is not one we can measure.
    return false;
  }
}

function linkOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // The descriptor was closed between the listing and this look.
    return '';
  }
}
