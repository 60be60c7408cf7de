import { readdirSync } from 'node:fs';
import { commandLine } from '@app/processes';
import { descendantsOf, listProcesses, processesWithMarker, type SpawnedApp } from '@app/testing';
import { browserUser } from '../../apps/fetcher/src/browser/browser-user.js';

/** What the browsers of a deployment hold at a moment. */
export interface BrowserCensus {
  /** Chromium processes of every kind: main ones, renderers, helpers. */
  readonly processes: number;
  /** Ended children that no parent has reaped. */
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

/**
 * The processes that start the browsers of a service process: its browser processes. Remembered, since a dead
 * service has no children to find them by.
 */
function ownersOf(servicePid: number): ReadonlySet<number> {
  const owners = knownOwners.get(servicePid) ?? new Set();
  for (const { pid } of descendantsOf(servicePid)) {
    if (BROWSER_PROCESS.test(commandLine(pid) ?? '')) owners.add(pid);
  }
  knownOwners.set(servicePid, owners);
  return owners;
}

const knownOwners = new Map<number, Set<number>>();
const BROWSER_PROCESS = /browser-main\.js$/;

/** Browser processes of a service that live. */
export function browserProcessesOf(servicePid: number): readonly number[] {
  const living = new Set(listProcesses().map(({ pid }) => pid));
  return [...ownersOf(servicePid)].filter((pid) => living.has(pid));
}

/** Chromium main processes that the browser processes of a service started, whatever their parent is by now. */
export function browsersOf(servicePid: number): readonly number[] {
  const owners = ownersOf(servicePid);
  return processesWithMarker(OWNER_FLAG)
    .filter(({ pid }) => owners.has(ownerOf(pid) ?? 0))
    .map(({ pid }) => pid);
}

/** The marker reads `pool-host-pid-startTime`. */
function ownerOf(pid: number): number | null {
  const marker = /--trawl-owner=[0-9a-f]+-[0-9a-f]+-(\d+)-\d+/.exec(commandLine(pid) ?? '')?.[1];
  return marker === undefined ? null : Number(marker);
}

/** Scratch folders that a service's browser processes made for their browsers. */
export function scratchFoldersOf(servicePid: number): readonly string[] {
  const owners = ownersOf(servicePid);
  const isOwn = (name: string): boolean =>
    owners.has(Number(/^[0-9a-f]+-[0-9a-f]+-(\d+)-\d+-/.exec(name)?.[1]));
  return namesIn(browserUser().scratchRoot).filter(isOwn);
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
