import { randomBytes } from 'node:crypto';
import { createApiKey, createTenant } from '@app/accounts';
import { openBlobStore, type BlobStore } from '@app/blobs';
import { PLAN_LIMITS } from '@app/contracts';
import {
  adHocStatement,
  pause,
  startFixtureSite,
  startWebhookReceiver,
  TrawlClient,
  type FixtureSite,
  type WebhookReceiver,
} from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import {
  GROWTH_PAGES,
  growthKinds,
  type GrowthCall,
  type GrowthFinds,
  type GrowthKind,
} from './growth-calls.js';

/**
 * `npm run test:soak -- storage-growth`: one free key sends the calls that make most grow for least, as fast as its plan
 * lets it, for an hour or `TRAWL_SOAK_MINUTES`. The figures are those of docs/security.md.
 */
const MINUTES = Number(process.env['TRAWL_SOAK_MINUTES'] ?? 60);
const SAMPLED_EVERY_MS = 5 * 60_000;
/** A kind of call that the plan refuses is tried again after that. */
const REFUSED_MS = 120_000;
const MOST_WAIT_MS = 60_000;
const MOST_TRIES = 60;
const MB = 1e6;
const { storageBytes, concurrentRequests } = PLAN_LIMITS.free;
const LIMIT = storageBytes ?? 0;
/** Beside the storage of a plan: responses in SQL, and rows whose number the plan bounds. */
const UNCOUNTED = 64 * 2 ** 20 + 20 * MB;
/**
 * Cached pages have a bound of their own (`CACHE_MAX_MIB`); responses that are a tenth are not checked; jobs that began
 * before the storage was full bring addresses, and segments too small to be checked.
 */
const OVERSHOOT = 256 * 2 ** 20 + LIMIT / 10 + 20 * MB;

/** On disk, in bytes. */
interface Sample {
  readonly minute: number;
  /** More than at the start: tables with their indexes. */
  readonly database: number;
  readonly storage: number;
  /** As GET /v1/usage has it. */
  readonly counted: number;
  readonly credits: number;
}

describe('what one free key makes grow', () => {
  let site: FixtureSite;
  let receiver: WebhookReceiver;
  let service: Deployment;
  let blobs: BlobStore;
  let caller: { readonly id: string; readonly key: string };
  let client: TrawlClient;
  let emptyBytes = 0;
  const statuses = new Map<string, Map<string, number>>();
  const samples: Sample[] = [];

  beforeAll(async () => {
    [site, receiver] = [await startFixtureSite(), await startWebhookReceiver()];
    site.serve(GROWTH_PAGES);
    service = await deploy('cluster');
    const { database, env } = service;
    const { id } = await createTenant(database, 'grows', 'free');
    caller = { id, key: await createApiKey(database, id, 'grows') };
    client = new TrawlClient(service.url, caller.key);
    const noLinks = { publicUrl: service.url, downloadSecret: Buffer.alloc(32) };
    blobs = openBlobStore({ url: env['STORAGE_URL'] ?? '', ...noLinks });
    emptyBytes = await databaseBytes();
  });
  afterAll(async () => {
    await blobs?.close();
    await service?.stop();
    await Promise.all([site?.close(), receiver?.close()]);
  });

  it(
    'stays within the storage of its plan',
    async () => {
      const startedAt = performance.now();
      const endsAt = startedAt + MINUTES * 60_000;
      const kinds = new Turns(growthKinds(site, receiver));
      const callers = Array.from({ length: concurrentRequests ?? 1 }, () => send(kinds, endsAt));
      for (let at = startedAt; at < endsAt;) {
        at = Math.min(endsAt, at + SAMPLED_EVERY_MS);
        await pause(at - performance.now());
        await sample((performance.now() - startedAt) / 60_000);
      }
      await Promise.all(callers);
      await jobsEnded();
      const end = await sample((performance.now() - startedAt) / 60_000);
      report(`tables: ${JSON.stringify(await patiently(largestTables))}`);
      report(`folders: ${JSON.stringify(await patiently(folders))}`);
      for (const { database, storage, counted } of samples)
        expect(database + storage).toBeLessThanOrEqual(counted + UNCOUNTED);
      expect(end.database + end.storage).toBeLessThanOrEqual(LIMIT + OVERSHOOT + UNCOUNTED);
    },
    (MINUTES + 20) * 60_000,
  );

  /** One of the requests that a caller may have at a time. */
  async function send(kinds: Turns, endsAt: number): Promise<void> {
    while (performance.now() < endsAt) {
      const turn = kinds.next();
      if (turn === null) {
        await pause(1_000);
        continue;
      }
      const { status, retryMs, body } = await answerTo(turn.call).catch(NO_ANSWER);
      count(turn.kind.name, status);
      if (status === '429 rate') await pause(retryMs);
      else if (['402', '403', '409', '413', '429'].includes(status)) kinds.refused(turn);
      else if (status.startsWith('2')) turn.kind.learn?.(body, kinds.finds);
    }
  }

  async function answerTo({ method = 'POST', path, body, isKept }: GrowthCall) {
    const isForm = body instanceof FormData;
    const headers = {
      'x-api-key': caller.key,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...(isKept ? { 'idempotency-key': randomBytes(127).toString('hex') } : {}),
    };
    const sent = isForm || body === undefined ? body : JSON.stringify(body);
    const response = await fetch(new URL(path, service.url), { method, headers, body: sent });
    const text = await response.text();
    const retryMs = 1_000 * Number(response.headers.get('retry-after') ?? 1);
    // A quota of the day says when the next one begins.
    const isRate = response.status === 429 && retryMs <= MOST_WAIT_MS;
    return { status: isRate ? '429 rate' : String(response.status), retryMs, body: parsed(text) };
  }

  function count(kind: string, status: string): void {
    const ofKind = statuses.get(kind) ?? new Map<string, number>();
    statuses.set(kind, ofKind.set(status, (ofKind.get(status) ?? 0) + 1));
  }

  async function sample(minutes: number): Promise<Sample> {
    const usage = await patiently(readUsage);
    const { granted = 0, remaining = 0 } = usage.credit_pools['scrape'] ?? {};
    const taken = {
      minute: Math.round(minutes),
      database: (await patiently(databaseBytes)) - emptyBytes,
      storage: (await patiently(storedBlobs)).reduce((sum, { bytes }) => sum + bytes, 0),
      counted: usage.storage.bytes,
      credits: granted - remaining,
    };
    samples.push(taken);
    report(JSON.stringify(taken));
    const byKind = [...statuses].map(([kind, codes]) => [kind, Object.fromEntries(codes)]);
    report(JSON.stringify(Object.fromEntries(byKind)));
    return taken;
  }

  /** Counts in the rate window, too. */
  async function readUsage() {
    for (;;) {
      const { status, body } = await client.call('GET', '/v1/usage');
      if (status === 200)
        return body as {
          readonly storage: { readonly bytes: number };
          readonly credit_pools: Record<string, { granted: number; remaining: number }>;
        };
      await pause(1_000);
    }
  }

  async function jobsEnded(): Promise<void> {
    const left = 'SELECT count(*)::int AS jobs FROM jobs WHERE completed_at IS NULL';
    for (let tries = 0; tries < 600; tries++) {
      const [row] = await patiently(() =>
        service.database.query<{ jobs: number }>(adHocStatement(left)),
      );
      if (row?.jobs === 0) return;
      await pause(1_000);
    }
  }

  const TABLES = `
    SELECT regexp_replace(relname, '_\\d\\d$', '') AS name, sum(pg_total_relation_size(oid))::float8 AS bytes
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 2 DESC`;

  async function tables(): Promise<{ readonly name: string; readonly bytes: number }[]> {
    return service.database.query<{ name: string; bytes: number }>(adHocStatement(TABLES));
  }

  async function databaseBytes(): Promise<number> {
    return (await tables()).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async function largestTables(): Promise<Record<string, number>> {
    return megabytes((await tables()).slice(0, 12).map(({ name, bytes }) => [name, bytes]));
  }

  /** No other tenant does anything, so all are of this one. */
  async function storedBlobs(): Promise<
    readonly { readonly key: string; readonly bytes: number }[]
  > {
    return Array.fromAsync(blobs.list(''));
  }

  async function folders(): Promise<Record<string, number>> {
    const sums = new Map<string, number>();
    for (const { key, bytes } of await storedBlobs()) {
      const parts = key.split('/').map((part) => (WITH_ID.test(part) ? '*' : part));
      const kind = parts.join('/');
      sums.set(kind, (sums.get(kind) ?? 0) + bytes);
    }
    return megabytes([...sums]);
  }
});

const WITH_ID = /[0-9a-f]{8}-[0-9a-f]{4}-/;

interface Turn {
  readonly kind: GrowthKind;
  readonly call: GrowthCall;
}

/** Kinds of call in turn, without those that were refused lately. */
class Turns {
  readonly finds: GrowthFinds = {};
  private readonly outUntil = new Map<GrowthKind, number>();
  private readonly withoutKey = new Set<GrowthKind>();
  private at = 0;

  constructor(private readonly kinds: readonly GrowthKind[]) {}

  next(): Turn | null {
    for (let tries = 0; tries < this.kinds.length; tries++) {
      const kind = this.kinds[this.at++ % this.kinds.length];
      if (!kind || (this.outUntil.get(kind) ?? 0) > performance.now()) continue;
      const call = kind.next(this.finds);
      if (call)
        return { kind, call: this.withoutKey.has(kind) ? { ...call, isKept: false } : call };
    }
    return null;
  }

  /** What is refused with a key may go on without one. */
  refused({ kind, call }: Turn): void {
    if (call.isKept) this.withoutKey.add(kind);
    else this.outUntil.set(kind, performance.now() + REFUSED_MS);
  }
}

const NO_ANSWER = () => ({ status: 'none', retryMs: 0, body: {} });

/** A machine that others keep busy may not answer in time: an hour does not end for that. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await pause(5_000);
    }
  }
}

function parsed(text: string): Readonly<Record<string, never>> {
  try {
    return JSON.parse(text) as Record<string, never>;
  } catch {
    // Of a form that nothing is learnt from.
    return {};
  }
}

function megabytes(sums: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(sums.map(([name, bytes]) => [name, Number((bytes / MB).toFixed(1))]));
}

/** Jest hides what its tests print. */
function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
