import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { startTimeOf } from '@app/processes';

/**
 * Who started a browser: an argument of its command line and the head of its scratch folder's name. The start time makes a reused pid no trap; the host keeps two
 * machines that share a scratch volume from sweeping each other's folders.
 */
export interface OwnerMarker {
  readonly text: string;
  readonly host: string;
  readonly pid: number;
  readonly startTime: string;
}

export const OWNER_FLAG = '--trawl-owner=';
const PATTERN = /\b([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-(\d+)\b/;

export async function ownMarker(): Promise<OwnerMarker> {
  const startTime = (await startTimeOf(process.pid)) ?? '0';
  const poolId = randomBytes(4).toString('hex');
  const host = hostMark();
  const text = `${poolId}-${host}-${process.pid}-${startTime}`;
  return { text, host, pid: process.pid, startTime };
}

/** The first marker in an argument or a folder's name. */
export function parseMarker(text: string): OwnerMarker | null {
  const [whole, , host, pid, startTime] = PATTERN.exec(text) ?? [];
  if (whole === undefined || host === undefined || startTime === undefined) return null;
  return { text: whole, host, pid: Number(pid), startTime };
}

/** Whether it is known that the owner is gone. The owner of another host's marker cannot be checked here. */
export async function isOwnerDead(marker: OwnerMarker): Promise<boolean> {
  if (marker.host !== hostMark()) return false;
  return (await startTimeOf(marker.pid)) !== marker.startTime;
}

function hostMark(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}
