import { readdirSync, readFileSync } from 'node:fs';
import {
  articleMarker,
  descendantsOf,
  seededRandom,
  until,
  type FixtureSite,
  type SeededRandom,
  type SpawnedApp,
  type TrawlClient,
} from '@app/testing';
import { browserCensus, browsersOf, type BrowserCensus } from './browser-census.js';
import type { Deployment } from './deployment.js';
import type { ScrapeBody } from './trap-run.js';

/** What is asked of the service while it is watched for leaks. */
const KINDS = [
  'plain',
  'rendered',
  'missing',
  'broken',
  'hung up',
  'acted on',
  'pictured',
  'kept',
  'read',
  'stuck',
] as const;
export type Kind = (typeof KINDS)[number];

/** Those that end when their page is loaded: what they take is the browser's doing. */
const RENDERED: ReadonlySet<Kind> = new Set<Kind>(['rendered', 'acted on', 'pictured']);

export interface LeakRunOptions {
  readonly seed: number;
  readonly scrapes: number;
  readonly parallel: number;
  /** A browser is killed before about one in so many scrapes. */
  readonly killEvery: number;
}

export interface LeakRun {
  /** What was wrong with answers; empty when nothing was. */
  readonly problems: readonly string[];
  readonly kills: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Milliseconds of each rendered scrape, in order. */
  readonly renderedMs: readonly number[];
}

interface Tenants {
  readonly clients: readonly [TrawlClient, TrawlClient];
  readonly site: FixtureSite;
}

/** Scrapes of every kind by two tenants in turn, with browsers killed at seeded moments. */
export async function mixedScrapes(
  service: Deployment,
  tenants: Tenants,
  options: LeakRunOptions,
): Promise<LeakRun> {
  const random = seededRandom(options.seed);
  const problems: string[] = [];
  const counts: Record<string, number> = {};
  const renderedMs: number[] = [];
  let next = 0;
  let kills = 0;
  const work = async (): Promise<void> => {
    while (next < options.scrapes) {
      const index = next++;
      const kind = random.pick(KINDS);
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (random.int(1, options.killEvery) === 1 && killBrowser(service.apps, random)) kills++;
      const startedAt = performance.now();
      const problem = await scrapeOnce(kind, index, tenants, random);
      if (problem !== null) problems.push(`${index} ${kind}: ${problem}`);
      if (RENDERED.has(kind)) renderedMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return { problems, kills, counts, renderedMs };
}

/** SIGKILL, as the kernel does it when memory runs out. */
function killBrowser(apps: readonly SpawnedApp[], random: SeededRandom): boolean {
  const pids = apps.flatMap((app) => browsersOf(app.process.pid));
  if (pids.length === 0) return false;
  try {
    process.kill(random.pick(pids), 'SIGKILL');
    return true;
  } catch {
    // Ended since we looked.
    return false;
  }
}

const forced = { forceHeadless: true } as const;
/** Time for most places of `/state/` to be tried. */
const patient = { forceHeadless: true, waitFor: 1_500 } as const;
const MAX_HANG_UP_MS = 1_500;

/** Null when the answer is right, or honest about a killed browser. */
async function scrapeOnce(
  kind: Kind,
  index: number,
  { clients, site }: Tenants,
  random: SeededRandom,
): Promise<string | null> {
  const tenant = index % 2;
  const client = clients[tenant] ?? clients[0];
  const mark = `mark-of-${tenant}-${index}x`;
  switch (kind) {
    case 'plain':
      return expectText(client, { url: site.url(`/tree/${index % 50}`) }, 'tree-marker-');
    case 'rendered':
      return expectText(client, { ...forced, url: site.url('/shell/react') }, 'shell-react');
    case 'missing':
      return expectStatus(client, { url: site.url('/status/404') }, [422]);
    case 'broken':
      return expectStatus(client, { url: site.url('/reset') }, [422]);
    case 'stuck':
      return expectStatus(client, { ...forced, url: site.url('/script/infinite') }, [200, 422]);
    case 'hung up':
      return hangUp(client, { ...forced, url: site.url('/tarpit/xhr') }, random);
    case 'acted on': {
      const actions = [{ type: 'click', selector: '#add' }];
      return expectText(client, { actions, url: site.url('/actions') }, 'button-was-clicked');
    }
    case 'pictured':
      return expectStatus(client, { formats: ['screenshot'], url: site.url('/media') }, [200, 422]);
    case 'kept':
      return expectText(
        client,
        { ...patient, url: site.url(`/state/keep?mark=${mark}`) },
        articleMarker('state-keep'),
      );
    case 'read':
      return expectNothingKept(client, { ...patient, url: site.url('/state/read') });
  }
}

async function expectStatus(
  client: TrawlClient,
  request: object,
  right: readonly number[],
): Promise<string | null> {
  const { status, text } = await client.scrape(request);
  return right.includes(status) ? null : `${status} ${text.slice(0, 300)}`;
}

/** Only a killed browser excuses a 422, and then its class says so. */
async function expectText(
  client: TrawlClient,
  request: object,
  text: string,
): Promise<string | null> {
  const answer = await client.scrape(request);
  const body = answer.body as ScrapeBody;
  if (answer.status === 422) {
    const last = body.cascade.attempts.at(-1);
    return last?.rung === 'headless' && last.error_class !== null ? null : answer.text;
  }
  const isRight = answer.status === 200 && (body.markdown?.includes(text) || body.partial);
  return isRight ? null : `${answer.status} ${answer.text.slice(0, 300)}`;
}

/** Whatever any tenant kept before, this visit finds nothing of it. */
async function expectNothingKept(client: TrawlClient, request: object): Promise<string | null> {
  const { status, text } = await client.scrape(request);
  if (status !== 200) return status === 422 ? null : `${status} ${text.slice(0, 300)}`;
  const seen = /mark-of-\d-\d+x|from-the-worker/.exec(text)?.[0];
  return seen === undefined ? null : `saw ${seen}`;
}

async function hangUp(
  client: TrawlClient,
  request: object,
  random: SeededRandom,
): Promise<string | null> {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), random.int(0, MAX_HANG_UP_MS));
  try {
    const { status, text } = await client.scrape(request, gone.signal);
    // It was quicker than we were.
    return status === 200 || status === 422 ? null : `${status} ${text.slice(0, 300)}`;
  } catch (error) {
    return gone.signal.aborted ? null : String(error);
  } finally {
    clearTimeout(timer);
  }
}

/** All that could leak, at a moment. */
export interface LeakSample extends BrowserCensus {
  /** Descriptors of our own processes. */
  readonly files: number;
  readonly children: number;
  /** Resident memory of our own processes, without browsers and database. */
  readonly residentMiB: number;
}

export async function leakSample(apps: readonly SpawnedApp[]): Promise<LeakSample> {
  const pids = apps.map((app) => app.process.pid);
  const sum = (of: (pid: number) => number): number =>
    pids.reduce((total, pid) => total + of(pid), 0);
  return {
    ...(await browserCensus(apps)),
    files: sum((pid) => readdirSync(`/proc/${pid}/fd`).length),
    children: sum((pid) => descendantsOf(pid).filter(isLasting).length),
    residentMiB: Math.round(sum(residentMiBOf)),
  };
}

/** Servers of the embedded database come and go with its connections. */
function isLasting({ name }: { readonly name: string }): boolean {
  return !name.startsWith('postgres');
}

function residentMiBOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

/** Kept-alive connections to sites, the database and browsers: a handful more is no leak. */
const SPARE_FILES = 10;

/** Waits until nothing but the idle pool is left; rejects with what is. */
export function untilBackTo(baseline: LeakSample, apps: readonly SpawnedApp[], timeoutMs: number) {
  let last: LeakSample = baseline;
  const isBack = async (): Promise<LeakSample | null> => {
    last = await leakSample(apps);
    const isClean =
      last.openPages === 0 &&
      last.tasks === 0 &&
      last.zombies === 0 &&
      last.processes <= baseline.processes &&
      last.children <= baseline.children &&
      last.scratchFolders <= baseline.scratchFolders &&
      last.files <= baseline.files + SPARE_FILES;
    return isClean ? last : null;
  };
  return until(isBack, { what: 'everything as before', timeoutMs, intervalMs: 500 }).catch(
    (cause: unknown) => {
      const found = `${JSON.stringify(last)}, before: ${JSON.stringify(baseline)}`;
      throw new Error(`left behind: ${found}`, { cause });
    },
  );
}

/**
 * Fills the pool, then takes stock at rest, with browsers up: one that has served all its pages may close right
 * after a visit, and a sample without it is no measure for one with it.
 */
export function settledSample(
  service: Deployment,
  site: FixtureSite,
  pages: number,
): Promise<LeakSample> {
  const url = site.url('/shell/react');
  const withBrowsers = async () => {
    await visitTogether(service.client, url, pages);
    const sample = await atRest(service.apps);
    return sample.processes > 0 ? sample : null;
  };
  return until(withBrowsers, { what: 'rest with browsers up', timeoutMs: 60_000, intervalMs: 250 });
}

async function visitTogether(client: TrawlClient, url: string, pages: number): Promise<void> {
  const visits = Array.from({ length: pages }, () => client.scrape({ ...forced, url }));
  const refused = (await Promise.all(visits)).find(({ status }) => status !== 200);
  if (refused) throw new Error(`a page in peace: ${refused.status} ${refused.text}`);
}

function atRest(apps: readonly SpawnedApp[]): Promise<LeakSample> {
  const resting = async () => {
    const sample = await leakSample(apps);
    return sample.openPages === 0 && sample.zombies === 0 ? sample : null;
  };
  return until(resting, { what: 'rest', timeoutMs: 30_000, intervalMs: 250 });
}
