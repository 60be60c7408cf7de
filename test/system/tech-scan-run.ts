import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openBlobStore, type BlobStore } from '@app/blobs';
import { openTaskQueue, type TaskQueue } from '@app/broker';
import { hardLimitMs, type ScanInput, type ScanReply, type ScanTask } from '@app/tech';
import type { SpawnedApp } from '@app/testing';
import { brokerUrl, freshPrefix } from '../setup/test-servers.js';
import { deployCluster, deployEmbedded, type Deployment, type Mode } from './deployment.js';

/** Of the scanner under test: far apart, so that a busy machine does not mistake one for the other. */
export const CONFIGURED_BUDGET_MS = 700;
export const HARD_MS = hardLimitMs(CONFIGURED_BUDGET_MS);
const SLOW_PATTERNS = 40;

/** The echo of a group keeps a pattern from the linear engine; what does not match takes 1.6^n tries. */
const slowly = (n: number): string => `^(a|aa)+\\1\\1(?:b|d){${n}}$`;
export const endlessValue = (n = 200): string => `${'a'.repeat(n)}c`;

/** An operator's file, as Wappalyzer has it: patterns that cost a thread, or a share of the budget each. */
const OPERATORS = {
  categories: { 1: { name: 'CMS' } },
  technologies: {
    Plainpress: { cats: [1], meta: { generator: '^Plainpress ([\\d.]+)\\;version:\\1' } },
    Endless: { cats: [1], headers: { 'x-endless': slowly(1) } },
    ...Object.fromEntries(
      Array.from({ length: SLOW_PATTERNS }, (_, n) => [
        `Slow ${n}`,
        { cats: [1], headers: { 'x-slow': slowly(n + 1) } },
      ]),
    ),
  },
};

export interface ScanOptions {
  /** @default 'tenant' */
  readonly tenantId?: string;
  /** @default 20_000 */
  readonly deadlineMs?: number;
  /** Stored as they are. @default the input as gzipped JSON */
  readonly stored?: Uint8Array;
}

/** A scanner as it runs for a user, and the two things an enrichment uses it by. */
export interface ScanFixture {
  readonly service: Deployment;
  readonly queue: TaskQueue;
  /** The process that scans. */
  readonly scanner: SpawnedApp;
  scan(input?: Partial<ScanInput>, options?: ScanOptions): Promise<ScanReply>;
  /** Lines of the scanner's metrics that begin so. */
  metrics(start: string): Promise<readonly string[]>;
  residentBytes(): Promise<number>;
  close(): Promise<void>;
}

export const PLAINPRESS_PAGE =
  '<!doctype html><meta name="generator" content="Plainpress 1.2"><p>A page.</p>';
export const FOUND = { name: 'Plainpress', category: 'CMS', confidence: 1, version: '1.2' };

/** Both modes with a broker that a test can reach; everything else of a standalone stays embedded. */
export async function openScanFixture(mode: Mode): Promise<ScanFixture> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trawl-tech-scan-'));
  const file = path.join(folder, 'technologies.json');
  await writeFile(file, JSON.stringify(OPERATORS));
  const env = {
    TECH_FINGERPRINTS_PATH: file,
    TECH_SCAN_THREADS: '1',
    TECH_SCAN_BUDGET_MS: String(CONFIGURED_BUDGET_MS),
  };
  const service = await deployWith(mode, env);
  const scanner = service.apps.at(-1);
  if (scanner === undefined) throw new Error('there is no process that scans');
  const { BROKER_URL = '', BROKER_PREFIX = '' } = service.env;
  const queue = openTaskQueue({ url: BROKER_URL, prefix: BROKER_PREFIX });
  const blobs = openBlobStore({
    url: service.env['STORAGE_URL'] ?? `file:${path.join(service.env['DATA_DIR'] ?? '', 'blobs')}`,
    publicUrl: service.url,
    downloadSecret: new Uint8Array(32),
  });
  return {
    service,
    queue,
    scanner,
    scan: (input = {}, options = {}) => scan({ queue, blobs }, input, options),
    metrics: (start) => metricsOf(scanner, start),
    residentBytes: () => residentBytes(scanner.process.pid),
    async close() {
      await queue.close();
      await blobs.close();
      await service.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function deployWith(mode: Mode, env: Readonly<Record<string, string>>): Promise<Deployment> {
  if (mode === 'cluster') return deployCluster({ fetchers: 0, scanners: 1, env });
  return deployEmbedded({
    env: { ...env, BROKER_URL: brokerUrl(), BROKER_PREFIX: freshPrefix() },
  });
}

async function scan(
  { queue, blobs }: { readonly queue: TaskQueue; readonly blobs: BlobStore },
  input: Partial<ScanInput>,
  { tenantId = 'tenant', deadlineMs = 20_000, stored }: ScanOptions,
): Promise<ScanReply> {
  const whole: ScanInput = {
    url: 'https://page.example/',
    headers: {},
    cookies: {},
    html: PLAINPRESS_PAGE,
    ...input,
  };
  const inputKey = `scans/${randomUUID()}`;
  await blobs.put(inputKey, stored ?? gzipSync(JSON.stringify(whole)));
  const deadlineAtMs = Date.now() + deadlineMs;
  const task: ScanTask = { requestId: 'test', tenantId, inputKey, deadlineAtMs };
  try {
    const reply = await queue.request('tech-scan', task, { timeoutMs: deadlineMs + 500 });
    return reply as ScanReply;
  } finally {
    await blobs.delete(inputKey);
  }
}

async function metricsOf(scanner: SpawnedApp, start: string): Promise<readonly string[]> {
  const answer = await fetch(new URL('/metrics', scanner.metricsUrl));
  return (await answer.text()).split('\n').filter((line) => line.startsWith(start));
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}
