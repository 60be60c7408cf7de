import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  commandLine,
  descendantsOf,
  listProcesses,
  processesWithMarker,
  type SpawnedApp,
} from '@app/testing';

/** What the browsers of a deployment hold at a moment. */
export interface BrowserCensus {
  /** Chromium processes of every kind: main ones, renderers, helpers. */
  readonly processes: number;
  /** Ended children that nobody has reaped. */
  readonly zombies: number;
  /** Pages that the pool counts as open. */
  readonly openPages: number;
  /** Scratch folders of this deployment's processes. */
  readonly scratchFolders: number;
  /** Tasks that are being worked on, and requests that are being answered. */
  readonly tasks: number;
}

/** Argument by which a fetcher marks the browsers it starts; its owner's pid is in the value. */
const OWNER_FLAG = '--trawl-owner=';

export async function browserCensus(apps: readonly SpawnedApp[]): Promise<BrowserCensus> {
  const pids = apps.map((app) => app.process.pid);
  const table = listProcesses();
  const children = pids.flatMap((pid) => descendantsOf(pid, table));
  return {
    processes: children.filter(({ name }) => /chrom|headless/i.test(name)).length,
    zombies: table.filter(({ state, parentPid }) => state === 'Z' && pids.includes(parentPid))
      .length,
    openPages: await sumOfGauge(apps, 'trawl_browser_pages_open'),
    tasks:
      (await sumOfGauge(apps, 'trawl_consumer_in_flight')) +
      (await sumOfGauge(apps, 'trawl_http_requests_in_flight')),
    scratchFolders: pids.reduce((sum, pid) => sum + scratchFoldersOf(pid).length, 0),
  };
}

/** Chromium main processes that the process `ownerPid` started, whoever their parent is by now. */
export function browsersOf(ownerPid: number): readonly number[] {
  return processesWithMarker(OWNER_FLAG)
    .filter(({ pid }) => ownerOf(pid) === ownerPid)
    .map(({ pid }) => pid);
}

/** The marker reads `pool-host-pid-startTime`. */
function ownerOf(pid: number): number | null {
  const marker = /--trawl-owner=[0-9a-f]+-[0-9a-f]+-(\d+)-\d+/.exec(commandLine(pid))?.[1];
  return marker === undefined ? null : Number(marker);
}

/** Scratch folders that a process made for its browsers. */
export function scratchFoldersOf(ownerPid: number): readonly string[] {
  const root = path.join(tmpdir(), `trawl-${process.getuid?.() ?? 'user'}`);
  const isOwn = new RegExp(`^[0-9a-f]+-[0-9a-f]+-${ownerPid}-\\d+-`);
  return namesIn(root).filter((name) => isOwn.test(name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No browser was ever started here.
    return [];
  }
}

/** The sum of a gauge over all processes that show it. */
export async function sumOfGauge(apps: readonly SpawnedApp[], name: string): Promise<number> {
  let sum = 0;
  for (const { metricsUrl } of apps) {
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    for (const [, value] of text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))) {
      sum += Number(value);
    }
  }
  return sum;
}
